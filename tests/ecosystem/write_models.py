"""Writes small models with the ecosystem's own libraries, and what their weights are.

Usage: write_models.py FOLDER
Each model is one layer with Llama's names. Values are decoded by ml_dtypes, whose formats are the ones the tensors
are stored in; `decoded.safetensors` holds them as F64, the products of FP32 scales and codes, exact.
"""

import json
import pathlib
import sys

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

E2M1 = ml_dtypes.float4_e2m1fn
E4M3 = ml_dtypes.float8_e4m3fn
BF16 = ml_dtypes.bfloat16

HIDDEN, INTERMEDIATE, HEADS, KV_HEADS, HEAD_DIM = 128, 256, 8, 2, 32
SHAPES = {
    "self_attn.q_proj": (HEADS * HEAD_DIM, HIDDEN),
    "self_attn.k_proj": (KV_HEADS * HEAD_DIM, HIDDEN),
    "self_attn.v_proj": (KV_HEADS * HEAD_DIM, HIDDEN),
    "self_attn.o_proj": (HIDDEN, HEADS * HEAD_DIM),
    "mlp.gate_proj": (INTERMEDIATE, HIDDEN),
    "mlp.up_proj": (INTERMEDIATE, HIDDEN),
    "mlp.down_proj": (HIDDEN, INTERMEDIATE),
}
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": HIDDEN,
    "intermediate_size": INTERMEDIATE,
    "num_hidden_layers": 1,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KV_HEADS,
    "head_dim": HEAD_DIM,
    "vocab_size": 64,
}
PREFIX = "model.layers.0."


def dense(name, shape):
    rng = np.random.default_rng(abs(hash_text(name)))
    return (rng.standard_normal(shape) * 0.02).astype(np.float32).astype(BF16)


def hash_text(text):
    value = 0
    for char in text.encode():
        value = (value * 131 + char) % (1 << 31)
    return value


def nvfp4(w):
    """Codes, E4M3 scales and the global multiplier by the documented rule, each step one FP32 operation."""
    w = w.astype(np.float32)
    g = np.float32(np.abs(w).max()) / np.float32(6 * 448)
    groups = w.reshape(w.shape[0], -1, 16)
    scales = (np.abs(groups).max(axis=2) / np.float32(6) / g).astype(E4M3)
    step = (scales.astype(np.float32) * g)[:, :, None]
    codes = np.clip(groups / step, -6, 6).astype(E2M1).view(np.uint8).reshape(w.shape) & 15
    return codes, scales, g


def pack(codes):
    """Two codes a byte, the even k in the low nibble."""
    return (codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8)


def decode_nvfp4(codes, scales, g):
    values = codes.astype(np.uint8).view(E2M1).astype(np.float64)
    return values * np.repeat(scales.astype(np.float64), 16, axis=1) * np.float64(g)


def fp8_rows(w):
    w = w.astype(np.float32)
    scales = np.maximum(np.abs(w).max(axis=1) / np.float32(448), np.finfo(np.float32).tiny)
    return np.clip(w / scales[:, None], -448, 448).astype(E4M3), scales


def decode_rows(codes, scales):
    return codes.astype(np.float64) * scales.astype(np.float64)[:, None]


def write(folder, tensors, decoded, declaration=None, hf_quant_config=None):
    folder.mkdir(parents=True, exist_ok=True)
    config = dict(CONFIG)
    if declaration:
        config["quantization_config"] = declaration
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    if hf_quant_config:
        (folder / "hf_quant_config.json").write_text(json.dumps(hf_quant_config, indent=1))
    # Two shards and an index, as large models have.
    names = sorted(tensors)
    shards = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    weight_map = {}
    for shard, members in shards.items():
        save_file({name: tensors[name] for name in members}, folder / shard, metadata={"format": "pt"})
        weight_map.update({name: shard for name in members})
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"metadata": {"total_size": sum(t.nbytes for t in tensors.values())}, "weight_map": weight_map}))
    (folder.parent / "decoded").mkdir(exist_ok=True)
    save_file(decoded, folder.parent / "decoded" / (folder.name + ".safetensors"))


def main(root):
    weights = {PREFIX + name: dense(name, shape) for name, shape in SHAPES.items()}
    packed, modelopt, rows, channel, decoded4, decoded8 = {}, {}, {}, {}, {}, {}
    for name, w in weights.items():
        codes, scales, g = nvfp4(w)
        divisor = np.float32(1) / g
        packed[name + ".weight_packed"] = pack(codes)
        packed[name + ".weight_scale"] = scales
        packed[name + ".weight_global_scale"] = np.array([divisor], np.float32)
        modelopt[name + ".weight"] = pack(codes)
        modelopt[name + ".weight_scale"] = scales
        modelopt[name + ".weight_scale_2"] = np.array(np.float32(1) / divisor, np.float32)
        decoded4[name] = decode_nvfp4(codes, scales, np.float32(1) / divisor)
        codes8, scales8 = fp8_rows(w)
        rows[name + ".weight"] = codes8
        rows[name + ".weight_scale"] = scales8[:, None]
        channel[name + ".weight"] = codes8
        channel[name + ".weight_scale"] = scales8
        decoded8[name] = decode_rows(codes8, scales8)
    group = {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "strategy": "tensor_group", "group_size": 16,
                                               "symmetric": True, "dynamic": False}}
    write(root / "packed", packed, decoded4,
          {"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "config_groups": {"group_0": group},
           "ignore": ["lm_head"]})
    write(root / "modelopt", modelopt, decoded4, None,
          {"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4", "group_size": 16, "exclude_modules": ["lm_head"]}})
    group = {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "strategy": "channel"}}
    write(root / "float", rows, decoded8,
          {"quant_method": "compressed-tensors", "format": "float-quantized", "config_groups": {"group_0": group}, "ignore": []})
    write(root / "modelopt-fp8", channel, decoded8, None, {"quantization": {"quant_algo": "FP8_PER_CHANNEL_PER_TOKEN"}})
    dense_tensors = {name + ".weight": w for name, w in weights.items()}
    exact4 = {name: decode_nvfp4(*nvfp4(w)) for name, w in weights.items()}
    write(root / "dense-nvfp4", dense_tensors, exact4)
    write(root / "dense-fp8", dense_tensors, decoded8)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
