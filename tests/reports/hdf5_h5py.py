"""Reads a file that hdf5_example wrote, as a user of h5py would: hdf5_h5py.py FILE."""

import sys

import h5py
import numpy as np

with h5py.File(sys.argv[1]) as file:
    assert file["run"].attrs["id"] == "run-1", dict(file["run"].attrs)
    assert file["run"].attrs["git.dirty"] == 1
    case = file["cases/0"]
    assert case.attrs["id"] == "qpn2_gemm/example/m2"
    activations = case["activations"]
    assert activations.dtype == np.float16 and activations.shape == (2, 3)
    assert np.array_equal(activations[...].view(np.uint16), [[0x3C00, 0xC000, 0x7BFF], [0x0001, 0xFC00, 0x8000]])
    assert case["codes"].compression == "gzip" and case["codes"].chunks
    assert np.array_equal(case["codes"][...], [0x21, 0x43])
    assert case["global_scale"][...] == np.float32(0.5)
    samples = case["samples"][...]
    assert samples["side"].tolist() == [0, 1]
    assert samples["seconds"].tolist() == [2e-6, 3e-6]
    assert h5py.check_enum_dtype(case["samples"].dtype["side"]) == {"control": 0, "candidate": 1}
