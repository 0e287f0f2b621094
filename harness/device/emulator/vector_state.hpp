// The CPU's vector registers between the handlers, which are compiled without vzeroupper, and other code.
#pragma once

namespace quadpair::emulator {

/// Clears the upper halves that the handlers leave behind. SSE instructions (all code but the handlers) must
/// else preserve these and so wait for whatever wrote them last: some hundred cycles after each warp's turn.
void clear_upper_halves();

}  // namespace quadpair::emulator
