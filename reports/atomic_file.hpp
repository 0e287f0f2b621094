// Files that are either whole or not there.
#pragma once

#include <filesystem>
#include <string_view>

namespace quadpair::reports {

/// Throws std::system_error unless a file can be made beside `file`, and `file` is a regular file or not
/// there.
void require_writable(const std::filesystem::path& file);

/// Removes what writers of `file` left beside it when they were killed. No writer may be at work.
void remove_leftovers(const std::filesystem::path& file);

/// Writes beside `file`, syncs, and renames over it, or over the file that it links to. Throws
/// std::system_error, also when it is no regular file; `file` is then as it was.
void write_atomically(const std::filesystem::path& file, std::string_view text);

/// The same with the bytes of `source`.
void copy_atomically(const std::filesystem::path& source, const std::filesystem::path& file);

}  // namespace quadpair::reports
