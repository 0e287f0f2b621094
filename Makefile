# Two commands do everything: `make verify` and `make test`.
PRESET ?= release
BUILD := build/$(PRESET)
REPORT := build/reports/default.json

.PHONY: verify test build setup clean

## Builds, runs the default suite on the emulator (or a GPU where there is one) and writes the report.
verify: build
	@mkdir -p $(dir $(REPORT))
	$(BUILD)/quadpair verify --suite default --json $(REPORT)

## Builds and runs every test.
test: build
	ctest --preset $(PRESET)

## Builds the program and the tests, and nothing else.
build: setup
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET)
	cmake --build --preset $(PRESET)

setup:
	@tools/setup.sh

clean:
	rm -rf build/release build/dev build/asan build/tidy
