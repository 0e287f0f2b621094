#!/usr/bin/env bash
# Installs what the build needs: Debian packages by name, and the pinned CUDA 12.8 wheels, unpacked under build/toolchain.
# Does nothing when everything is there already.
set -euo pipefail
cd "$(dirname "$0")/.."

install_packages() {
  local missing=()
  local package
  while read -r package; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done < tools/apt-packages.txt
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    echo "Packages are missing. Install them, then run this again:" >&2
    echo "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 69
  fi
  echo "Installing: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
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
    --only-binary=:all: -r tools/cuda-wheels.txt -d "$work/wheels"
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

install_packages
install_cuda
