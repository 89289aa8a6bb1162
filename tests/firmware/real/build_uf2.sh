#!/usr/bin/env bash
# MicroPython for a Raspberry Pi Pico, from Debian's packages: sources of trixie, compiler of this machine.
# Usage: build_uf2.sh OUT.uf2   (about two minutes, 1 GB in a folder of its own under TMPDIR, taken away at the end)
set -euo pipefail
out=$(realpath -m "$1")
suite=trixie
here=$(dirname "$(realpath "$0")")

say() { echo "firmware-real: $*"; }
fail() { echo "firmware-real: $*" >&2; exit 1; }

for tool in arm-none-eabi-gcc cmake make gcc python3 dpkg-source apt-get; do
	command -v "$tool" >/dev/null || fail "$tool is missing; make firmware-real names the Debian packages"
done
archive=$(apt-get indextargets --format '$(IDENTIFIER) $(COMPONENT) $(REPO_URI)' |
	awk '$1 == "Packages" && $2 == "main" && $3 ~ /\/debian\/?$/ { print $3; exit }')
[ -n "$archive" ] || fail "this machine's apt knows no Debian archive, so MicroPython's source cannot be fetched"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p lists/partial cache/archives/partial
keys=/usr/share/keyrings/debian-archive-keyring.gpg
printf '%s\n' "deb [signed-by=$keys] $archive $suite main" "deb-src [signed-by=$keys] $archive $suite main" > sources.list
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
	-o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)

say "fetching the sources of MicroPython and of the Pico's libraries ($suite, about 35 MB with the lists)"
"${apt[@]}" update >apt.log 2>&1 || fail "the list of $suite cannot be fetched: $(tail -1 apt.log)"
"${apt[@]}" source --download-only micropython mbedtls >>apt.log 2>&1 || fail "a source cannot be fetched: $(tail -1 apt.log)"
"${apt[@]}" download pico-sdk-source tinyusb-source >>apt.log 2>&1 || fail "a library cannot be fetched: $(tail -1 apt.log)"
for package in micropython mbedtls; do
	dpkg-source --no-check -x "$package"_*.dsc "$package" >>apt.log 2>&1 || fail "$package does not unpack: $(tail -1 apt.log)"
done
for deb in *.deb; do dpkg-deb -x "$deb" debs; done
sdk=$(dirname "$(find "$PWD/debs" -name pico_sdk_init.cmake | head -1)")
usb=$(dirname "$(dirname "$(find "$PWD/debs" -path '*/src/tusb.h' | head -1)")")
cd micropython
for link in "lib/pico-sdk $sdk" "lib/tinyusb $usb" "lib/mbedtls $work/mbedtls"; do
	set -- $link
	rm -rf "$1"
	ln -s "$2" "$1"
done
mkdir -p lib/micropython-lib
touch lib/micropython-lib/README.md "$sdk/README.md"
sed -i -nE '/^freeze|asyncio/p' ports/rp2/boards/manifest.py # the rest lives in libraries that are not here

say "compiling"
jobs=$(nproc)
make -C mpy-cross -j"$jobs" >../make.log 2>&1 || fail "mpy-cross: $(tail -5 ../make.log)"
cd ports/rp2
make BOARD=RPI_PICO -j"$jobs" \
	CMAKE_ARGS="-DMICROPY_BOARD=RPI_PICO -DMICROPY_BOARD_DIR=$PWD/boards/RPI_PICO -DPICO_NO_PICOTOOL=1" \
	>>../../../make.log 2>&1 || fail "the port: $(tail -15 "$work/make.log")"
bin=$(find . -name firmware.bin | head -1)
[ -s "$bin" ] || fail "no firmware.bin came of it: $(tail -15 "$work/make.log")"
mkdir -p "$(dirname "$out")"
python3 "$here/uf2.py" "$bin" "$out"
say "$(basename "$out") is there ($(stat -c %s "$out") bytes)"
