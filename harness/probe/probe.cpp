#include "harness/probe/probe.hpp"

#include <span>

#include "kernels/common/stream.hpp"
#include "kernels/probe/mma.hpp"

namespace quadpair::probe {
namespace {

template <class T>
std::unique_ptr<device::Buffer> input(device::Device& device, const char* name,
                                      const std::vector<T>& values) {
  auto buffer = device.allocate(name, values.size() * sizeof(T), device::Access::input, 0xA5);
  buffer->upload(std::as_bytes(std::span(values)));
  return buffer;
}

}  // namespace

std::vector<Instruction> emulator_instructions(reference::Model model) {
  using enum MmaShape;
  switch (model) {
    case reference::Model::volta:
    case reference::Model::fma_lowered: return {{m8n8k4, Target::sm70}};
    case reference::Model::turing: return {{m8n8k4, Target::sm70}, {m16n8k8, Target::sm80}};
    case reference::Model::ampere: return gpu_instructions(8, 0);
    case reference::Model::hopper: return gpu_instructions(9, 0);
  }
  return {};
}

std::vector<Instruction> gpu_instructions(int major, int minor) {
  if (major < 7) return {};
  const Target target = target_for_capability(major, minor);
  if (target == Target::sm70) return {{MmaShape::m8n8k4, target}};
  std::vector<Instruction> instructions;
  for (const MmaShape shape : all_mma_shapes) instructions.push_back({shape, target});
  return instructions;
}

cases::MeasuredRows ask(device::Device& device, const Instruction& instruction, Questions questions,
                        const ModuleLookup& find_module) {
  cases::MeasuredRows answers{products(instruction.shape), std::move(questions)};
  std::vector<std::uint16_t> operands;
  std::vector<std::uint32_t> c;
  for (const cases::MeasuredRow& row : answers.rows) {
    const auto width = static_cast<std::ptrdiff_t>(answers.width);
    operands.insert(operands.end(), row.a.begin(), row.a.begin() + width);
    operands.insert(operands.end(), row.b.begin(), row.b.begin() + width);
    c.push_back(row.c);
  }
  const auto operand_buffer = input(device, "operands", operands), c_buffer = input(device, "c", c);
  const auto d_buffer = device.allocate("d", c.size() * sizeof(std::uint32_t), device::Access::output, 0xA5);
  std::vector<Launch> launches = mma({instruction.shape, static_cast<std::uint32_t>(c.size()),
                                      operand_buffer->address(), c_buffer->address(), d_buffer->address()},
                                     instruction.target);
  for (Launch& launch : launches) launch.module = &find_module(launch.module->name, launch.module->target);
  device.run(launches);
  std::vector<std::uint32_t> d(c.size());
  d_buffer->download(std::as_writable_bytes(std::span(d)));
  for (std::size_t i = 0; i < d.size(); ++i) answers.rows[i].d = d[i];
  return answers;
}

std::vector<Match> probe(device::Device& device, const Instruction& instruction, std::uint64_t seed,
                         const ModuleLookup& find_module) {
  constexpr std::size_t rows_of_kind = 512;
  Questions questions = chosen_questions(instruction.shape);
  for (const Kind kind : all_kinds) {
    const Questions more = random_questions(instruction.shape, kind, rows_of_kind, seed);
    questions.insert(questions.end(), more.begin(), more.end());
  }
  return match(ask(device, instruction, std::move(questions), find_module));
}

}  // namespace quadpair::probe
