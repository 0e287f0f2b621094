// The files of a page that the library carries in itself.
#pragma once

#include <string_view>

namespace quadpair::reports::html {

std::string_view page();              ///< reports/html/page.html
std::string_view style();             ///< reports/html/style.css
std::string_view script();            ///< reports/html/charts.js
std::string_view chart_js();          ///< Chart.js as its authors minified it
std::string_view chart_js_licence();  ///< as a comment

}  // namespace quadpair::reports::html
