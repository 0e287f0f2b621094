"""Writes models with the library compressed-tensors itself, and what it says that their weights are.

Usage: write_compressed_tensors.py FOLDER
Models and decoded values are laid out as write_models.py does.
"""

import os
import pathlib
import sys

os.environ["TORCH_COMPILE_DISABLE"] = "1"  # packing a few small matrices needs no compiler

import numpy as np
import torch
from compressed_tensors.compressors import BaseCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationConfig, QuantizationScheme
from compressed_tensors.quantization.utils import calculate_qparams, generate_gparam

import write_models as models

FORMATS = {
    "ct-nvfp4": ("nvfp4-pack-quantized", dict(num_bits=4, type="float", strategy="tensor_group", group_size=16)),
    "ct-channel": ("float-quantized", dict(num_bits=8, type="float", strategy="channel")),
    "ct-tensor": ("float-quantized", dict(num_bits=8, type="float", strategy="tensor")),
}


def extremes(w, strategy):
    """Least and greatest values of each piece that shares a scale."""
    if strategy == "tensor":
        return w.min().reshape(1), w.max().reshape(1)
    pieces = w.reshape(w.shape[0], -1, 16) if strategy == "tensor_group" else w.reshape(w.shape[0], 1, -1)
    return pieces.amin(dim=2), pieces.amax(dim=2)


def compress(name, w, compressor, args):
    """The tensors of a module, and its weights in FP64."""
    low, high = extremes(w, args.strategy)
    global_scale = generate_gparam(w.min().reshape(1), w.max().reshape(1)) if args.num_bits == 4 else None
    scale, _ = calculate_qparams(low, high, args, global_scale=global_scale)
    tensors = compressor.compress_weight(weight=w, scale=scale, global_scale=global_scale, quantization_args=args)
    tensors["weight_scale"] = scale.to(torch.float8_e4m3fn) if args.num_bits == 4 else scale.to(torch.float32)
    if args.num_bits == 4:
        tensors["weight_global_scale"] = global_scale.to(torch.float32)
    theirs = compressor.decompress_weight(compressed_data=tensors, quantization_args=args).double().numpy()
    values = decode(tensors, args)
    # Theirs is rounded to a shorter format than products of codes and scales.
    assert np.allclose(values, theirs, rtol=2**-7, atol=0), name
    return {f"{name}.{key}": tensor for key, tensor in tensors.items()}, values


def decode(tensors, args):
    """The definition: codes times scales, exact."""
    scale = tensors["weight_scale"].double().numpy()
    if args.num_bits == 8:
        return tensors["weight"].double().numpy() * scale
    packed = tensors["weight_packed"].numpy()
    codes = np.stack([packed & 15, packed >> 4], axis=2).reshape(packed.shape[0], -1)
    return models.decode_nvfp4(codes, scale, np.float32(1) / tensors["weight_global_scale"].numpy()[0])


def to_numpy(tensor):
    if tensor.dtype == torch.float8_e4m3fn:
        return tensor.view(torch.uint8).numpy().view(models.E4M3)
    return tensor.numpy()


def write(root, name):
    form, weights = FORMATS[name]
    args = QuantizationArgs(symmetric=True, dynamic=False, **weights)
    config = QuantizationConfig(
        config_groups={"group_0": QuantizationScheme(targets=["Linear"], weights=args)}, format=form,
        quantization_status="compressed", ignore=["lm_head"])
    compressor = BaseCompressor.load_from_registry(form)
    tensors, decoded = {}, {}
    for module, shape in models.SHAPES.items():
        module = models.PREFIX + module
        w = torch.from_numpy(models.dense(module, shape).astype(np.float32))
        more, decoded[module] = compress(module, w, compressor, args)
        tensors.update(more)
    stored = {key: to_numpy(tensor) for key, tensor in tensors.items()}
    models.write(root / name, stored, decoded, config.model_dump(mode="json", exclude_none=True))


if __name__ == "__main__":
    for name in FORMATS:
        write(pathlib.Path(sys.argv[1]), name)
