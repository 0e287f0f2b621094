// The parts of the page that hold data. Each is empty where there is nothing to say.
#pragma once

#include <cstddef>

#include "reports/collection.hpp"
#include "reports/html/markup.hpp"
#include "reports/matrix.hpp"

namespace quadpair::reports::html {

/// Columns of the page's matrix; more values of M are taken together.
inline constexpr std::size_t matrix_columns = 24;

Html notices(const Collection& collection);
/// Each case that failed, was refused or is mistrusted, with its checks and the command that repeats it; the
/// first 100.
Html not_passed(const Collection& collection);
/// Cells lead to the cases() that they count.
Html matrix(const Matrix& matrix);
/// Every case of the matrix, folded by row. Of many cases each cell's first ones, worst first.
Html cases(const Matrix& matrix);
Html weighted(const Collection& collection);
/// Each comparison; the first 1,000.
Html comparisons(const Collection& collection);
Html costs(const Collection& collection);
Html storage(const Collection& collection);
Html environment(const Collection& collection);

}  // namespace quadpair::reports::html
