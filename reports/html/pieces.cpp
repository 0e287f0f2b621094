#include "reports/html/pieces.hpp"

#include "cmake/embed.hpp"

QUADPAIR_EMBED(quadpair_embedded_report_page, "page.html");
QUADPAIR_EMBED(quadpair_embedded_report_style, "style.css");
QUADPAIR_EMBED(quadpair_embedded_report_script, "charts.js");
QUADPAIR_EMBED(quadpair_embedded_report_chart_js, "chart.min.js");
QUADPAIR_EMBED(quadpair_embedded_report_licence, "LICENSE-MIT-chart.js.txt");

namespace quadpair::reports::html {
namespace {

std::string_view between(const std::byte* begin, const std::byte* end) {
  return {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view page() {
  return between(quadpair_embedded_report_page_begin, quadpair_embedded_report_page_end);
}

std::string_view style() {
  return between(quadpair_embedded_report_style_begin, quadpair_embedded_report_style_end);
}

std::string_view script() {
  return between(quadpair_embedded_report_script_begin, quadpair_embedded_report_script_end);
}

std::string_view chart_js() {
  return between(quadpair_embedded_report_chart_js_begin, quadpair_embedded_report_chart_js_end);
}

std::string_view chart_js_licence() {
  return between(quadpair_embedded_report_licence_begin, quadpair_embedded_report_licence_end);
}

}  // namespace quadpair::reports::html
