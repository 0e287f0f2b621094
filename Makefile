# Two commands do everything: `make verify` and `make test`.
PRESET ?= release
BUILD := build/$(PRESET)
REPORT := build/reports/default.json

.PHONY: verify test build bundle setup clean

## Builds the program, runs the default suite (on a GPU where there is one, else on the emulator), writes the report.
verify: build
	@mkdir -p $(dir $(REPORT))
	$(BUILD)/quadpair verify --suite default --json $(REPORT)

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

clean:
	rm -rf build/release build/dev build/asan build/tidy build/bundle build/reports
