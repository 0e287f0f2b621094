// The faults of memory accesses that plain kernels do not look for, or stop at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/emulator/instruction.hpp"
#include "harness/device/emulator/memory.hpp"
#include "harness/device/emulator/observe/findings.hpp"
#include "harness/device/emulator/observe/pattern.hpp"
#include "harness/device/emulator/observe/shared_shadow.hpp"
#include "harness/device/emulator/observe/store_log.hpp"
#include "harness/device/emulator/warpgroup.hpp"

namespace quadpair::emulator {

/// A worker's; its blocks come in ascending order.
class Sanitizer {
 public:
  void begin_launch(const Kernel& kernel, std::uint32_t shared_bytes, std::uint32_t warps);
  void begin_block();
  void barrier(std::uint32_t warps, std::uint32_t number);  ///< a mask
  void arrive(std::uint32_t number, std::uint32_t warp) { shadow_.arrive(number, warp); }
  void proxy_fence(std::uint32_t warp) { shadow_.proxy_fence(warp); }
  void warp_barrier(std::uint32_t warp) { shadow_.warp_barrier(warp); }
  void wait_for_grid(std::uint32_t warp, std::uint32_t lanes) { waited_[warp] |= lanes; }
  void release_grid() { released_ = true; }

  /// Judges an access whose first active lane goes to `first`; yields the lanes that must not perform it.
  std::uint32_t access(const Instruction* ip, const Context& context, std::uint64_t first,
                       const AccessPattern& pattern);

  /// One lane of a cp.async: `read` of its `bytes` come from `source`. Yields whether it may be performed.
  bool copy(const Instruction* ip, const Context& context, std::uint32_t lane, std::uint64_t source,
            std::uint32_t read, std::uint32_t destination, std::uint32_t bytes);
  void copies_done(const Context& context, const AsyncCopy& copy, std::uint32_t lanes);

  /// A matrix of a wgmma of the running warp; of one that is done; of a warp's, still to be done.
  void product_issued(const Instruction* ip, const Context& context, const StagedMatrix& matrix,
                      std::uint32_t rows);
  void product_done(const Context& context, const StagedMatrix& matrix, std::uint32_t rows);
  void products_finished(std::uint32_t warp) { shadow_.products_finished(warp); }
  void follow_products(std::uint32_t warp) { shadow_.follow_products(warp); }
  void product_pending(std::uint32_t warp, const StagedMatrix& matrix, std::uint32_t rows);

  /// `lanes` read a register that they have not written.
  void unwritten_register(const Instruction* ip, const Context& context, std::uint32_t lanes,
                          const std::string& name);

  const Findings& findings() const { return findings_; }
  const StoreLog& stores() const { return stores_; }

 private:
  /// A lane's access of `bytes` at `address`.
  struct One {
    const Instruction* ip;
    const Context& context;
    std::uint32_t lane;
    std::uint64_t address;
    std::uint32_t bytes, flags;  ///< AccessFlags

    bool store() const { return (flags & AccessFlags::store) != 0; }
  };

  void add(const One& one, FaultKind kind, const std::string& what);
  void add(const One& one, const Hazard& hazard);
  bool judge(const One& one, std::uint32_t align);
  void global_read(const One& one, const Region& region);
  /// Whether any of the lanes stores before it, or who met it at a barrier, has waited for the launch ahead,
  /// in a block that has let the next launch start early, and so may have been started early itself.
  bool early_store(std::uint32_t warp, std::uint32_t lanes) const {
    return released_ && (lanes & ~waited_[warp]) != 0;
  }
  void log_store(const One& one, std::uint32_t bytes);
  bool global_together(const Instruction* ip, const Context& context, const Access& access,
                       std::uint64_t first, const AccessPattern& pattern);
  bool shared_together(const Context& context, const Access& access, std::uint64_t offset,
                       const AccessPattern& pattern);

  Findings findings_;
  StoreLog stores_;
  SharedShadow shadow_;
  std::vector<std::uint32_t> waited_;   ///< [warps]: the block's lanes that waited for the launch ahead
  bool released_ = false;               ///< the block has let the next launch start
  std::vector<const Region*> regions_;  ///< by site: the buffer of the last access
};

}  // namespace quadpair::emulator
