#!/usr/bin/env bash
# Installs what the build needs: Debian packages by name, and the pinned CUDA 12.8 wheels, unpacked under build/toolchain.
# Does nothing when everything is there already. Stops with status 69 and says why when something cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."

unavailable() {
  printf '%s\n' "$@" >&2
  exit 69
}

install_packages() {
  if ! command -v dpkg-query > /dev/null; then
    echo "This is no Debian: what tools/apt-packages.txt names is taken to be there." >&2
    return
  fi
  local missing=()
  local package
  while read -r package; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done < tools/apt-packages.txt
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    local as_root="su -c"
    if command -v sudo > /dev/null; then as_root="sudo sh -c"; fi
    unavailable "Packages are missing. Install them, then run this again:" \
      "  $as_root 'apt-get update && apt-get install -y --no-install-recommends ${missing[*]}'"
  fi
  echo "Installing: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  dpkg --configure -a > /dev/null  # goes on where an interrupted set-up stopped
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null; } \
    || unavailable "apt-get could not install the packages; its message is above."
}

install_cuda() {
  [ -e /usr/local/cuda-12.8/include/cuda_fp16.h ] && return
  local root=build/toolchain/cuda-12.8
  local stamp=$root/wheels.sha256
  sha256sum --quiet --check "$stamp" > /dev/null 2>&1 && return
  echo "Fetching the CUDA 12.8 compiler wheels"
  local work=build/toolchain/unpack
  rm -rf "$work" "$root"
  mkdir -p "$work/wheels" "$root/lib" "$root/bin" "$root/include"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
    --only-binary=:all: -r tools/cuda-wheels.txt -d "$work/wheels" \
    || unavailable "pip could not fetch the wheels of tools/cuda-wheels.txt; its message is above."
  local wheel part
  for wheel in "$work"/wheels/*.whl; do unzip -q -o "$wheel" -d "$work/tree"; done
  for part in "$work"/tree/nvidia/*/; do
    local name
    for name in include lib bin nvvm; do
      if [ -d "$part$name" ]; then mkdir -p "$root/$name" && cp -r "$part$name/." "$root/$name/"; fi
    done
  done
  chmod +x "$root"/bin/*
  rm -rf "$work"
  sha256sum tools/cuda-wheels.txt > "$stamp"  # written last: an interrupted set-up starts again
}

mkdir -p build/toolchain || unavailable "The build folder lies in the source tree, which must be writable: use a copy."
exec 9> build/toolchain/lock
flock 9  # of two set-ups at once, the second waits and then finds everything there
install_packages
install_cuda
