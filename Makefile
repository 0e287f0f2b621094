# Two commands do everything: `make verify` and `make test`.
PRESET ?= release
BUILD := build/$(PRESET:ci=release)
REPORTS := build/reports
SUITES := default shared-codes-real compact-scales-real qpn8 lm-head-real

.PHONY: verify test build bundle ecosystem compressed-tensors browser fuzz setup clean

## Builds the program, runs the suites over real weights (on a GPU where there is one, else on the emulator), each with
## a report.
verify: build
	@mkdir -p $(REPORTS)
	@set -e; for suite in $(SUITES); do \
	  echo "$(BUILD)/quadpair verify --suite $$suite"; \
	  $(BUILD)/quadpair verify --suite $$suite --json $(REPORTS)/$$suite.json; \
	done

## Builds and runs every test.
test: $(BUILD)/build.ninja
	cmake --build --preset $(PRESET)
	ctest --preset $(PRESET)

## Builds the program, and nothing else.
build: $(BUILD)/build.ninja
	cmake --build --preset $(PRESET) --target quadpair

## The program with all that it needs, in build/bundle/: copy the folder to another machine and run bin/quadpair.
bundle: build
	rm -rf build/bundle
	cmake --install $(BUILD) --component bundle --strip --prefix build/bundle

$(BUILD)/build.ninja: | setup
	cmake --preset $(PRESET)

## Installs what the build needs; does nothing when all is there.
setup:
	@tools/setup.sh

## Installs Python libraries for tests that read files of theirs, each set in a virtual environment: `ecosystem` those
## that write checkpoints and check CI files, `compressed-tensors` that library itself (with PyTorch and CUDA, 5.4 GB).
ecosystem compressed-tensors: %: build/%/installed
build/%/installed: tools/%-requirements.txt
	python3 -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --require-hashes -r $<
	@touch $@

## Installs the browser that draws report pages in tests (Debian's Chromium, 300 MB, as root).
browser:
	apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core

## Fuzzes the checkpoint readers for FUZZ_SECONDS with clang's libFuzzer; findings go to build/fuzz/.
FUZZ_SECONDS ?= 600
fuzz:
	cmake --preset fuzz
	cmake --build --preset fuzz
	mkdir -p build/fuzz/found
	cd build/fuzz && nice -n 10 ./checkpoint_fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=4096 found ../../tests/fuzz/corpus

clean:
	rm -rf build/release build/dev build/asan build/fuzz build/tidy build/ecosystem build/compressed-tensors build/bundle build/reports
