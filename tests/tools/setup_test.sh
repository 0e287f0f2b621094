#!/usr/bin/env bash
# tools/setup.sh in a copy of its own, with a small wheel in place of the CUDA ones, and with dpkg-query, id and
# apt-get that this test writes. Usage: setup_test.sh SOURCE WORK
set -euo pipefail
source=$1
work="$2/folder with spaces"
rm -rf "$2"
mkdir -p "$work/project/tools" "$work/bin" "$work/wheels"
cd "$work"
cp "$source/tools/setup.sh" "$source/tools/apt-packages.txt" project/tools/
export PATH="$work/bin:$PATH" PIP_CONFIG_FILE=/dev/null PIP_NO_INDEX=1 PIP_FIND_LINKS="file://${work// /%20}/wheels"

fail() { echo "FAILED: $*; the last output:"; cat output; exit 1; }
expect_status() {  # STATUS COMMAND...: runs it, keeps its output
  local wanted=$1 status=0
  shift
  "$@" > output 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] || fail "status $status, not $wanted, of $*"
}
expect_text() { grep -qF -- "$1" output || fail "no \"$1\""; }
expect_silence() { [ ! -s output ] || fail "should be silent"; }
fake() { printf '#!/usr/bin/env bash\n%s\n' "$2" > "bin/$1" && chmod +x "bin/$1"; }
log() { cat "$work/log" 2>/dev/null || true; }

fake dpkg ':'
fake apt-get "echo \"apt-get \$*\" >> '$work/log'"
absent() { fake dpkg-query "case \" $* \" in *\" \${*: -1} \"*) exit 1 ;; *) echo installed ;; esac"; }

# Without root: the exact command, and nothing is done.
absent libre2-dev ninja-build
fake id 'echo 1000'
fake sudo ':'
expect_status 69 project/tools/setup.sh
expect_text "  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends libre2-dev ninja-build'"
[ -z "$(log)" ] || fail "apt-get was called"
[ ! -e project/build/toolchain/cuda-12.8 ] || fail "the set-up went on"

# With root: just what is missing is installed; python3-pip counts.
if [ ! -e /usr/local/cuda-12.8/include/cuda_fp16.h ]; then
  python3 - << 'EOF'
import hashlib, pathlib, zipfile
for version in ("1.0", "1.1"):
    name = pathlib.Path(f"wheels/demo-{version}-py3-none-any.whl")
    with zipfile.ZipFile(name, "w") as wheel:
        for path in ("include/cuda_fp16.h", "bin/ptxas", "lib/libnvrtc.so.12"):
            wheel.writestr(f"nvidia/demo/{path}", version)
        wheel.writestr(f"demo-{version}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: demo\nVersion: {version}\n")
        wheel.writestr(f"demo-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    pathlib.Path(f"{version}.txt").write_text(
        f"demo=={version} --hash=sha256:{hashlib.sha256(name.read_bytes()).hexdigest()}\n")
EOF
  cuda=project/build/toolchain/cuda-12.8
  cp 1.0.txt project/tools/cuda-wheels.txt
  absent python3-pip
  fake id 'echo 0'
  expect_status 0 project/tools/setup.sh
  expect_text "Installing: python3-pip"
  [ "$(log)" = "$(printf 'apt-get %s\n' 'update -qq' 'install -y -qq --no-install-recommends python3-pip')" ] \
    || fail "apt-get was called otherwise: $(log)"
  [ "$(cat $cuda/include/cuda_fp16.h)" = 1.0 ] && [ -x $cuda/bin/ptxas ] || fail "the wheel is not unpacked"

  # Everything there: nothing is done.
  absent
  fake id 'echo 1000'
  rm log
  expect_status 0 project/tools/setup.sh
  expect_silence
  [ -z "$(log)" ] || fail "apt-get was called"

  # Other wheels are wanted: they replace the old ones.
  cp 1.1.txt project/tools/cuda-wheels.txt
  expect_status 0 project/tools/setup.sh
  [ "$(cat $cuda/include/cuda_fp16.h)" = 1.1 ] || fail "the new wheel is not there"

  # A wheel that is not the pinned one is refused, and so it is the next time.
  sed "s/sha256:.*/sha256:$(printf '0%.0s' {1..64})/" 1.0.txt > project/tools/cuda-wheels.txt
  for again in 1 2; do
    expect_status 69 project/tools/setup.sh
    expect_text "DO NOT MATCH THE HASHES"
    expect_text "pip could not fetch the wheels"
  done

  # Killed half-way: what was left is no set-up, and goes away.
  cp 1.0.txt project/tools/cuda-wheels.txt
  fake unzip "kill -9 \$PPID"
  expect_status 137 project/tools/setup.sh
  rm bin/unzip
  touch project/build/toolchain/unpack/left
  expect_status 0 project/tools/setup.sh
  [ "$(cat $cuda/include/cuda_fp16.h)" = 1.0 ] && [ ! -e project/build/toolchain/unpack ] || fail "did not start again"

  # Two at once: one does the work, the other waits for it.
  rm -rf project/build
  expect_status 0 bash -c 'project/tools/setup.sh & project/tools/setup.sh && wait $!'
  [ "$(grep -c Fetching output)" = 1 ] || fail "not fetched once"
fi

# Failures of apt-get are named.
absent git
fake id 'echo 0'
fake apt-get 'exit 100'
expect_status 69 project/tools/setup.sh
expect_text "apt-get could not install"
# A source tree that cannot be written to (a file in place of build/, since root may write anywhere).
rm -rf project/build
touch project/build
expect_status 69 project/tools/setup.sh
expect_text "must be writable"
echo "passed"
