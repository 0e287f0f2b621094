// Draws the charts of a report from the JSON beside it. Every value drawn is in a table too.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  root.classList.add("scripted");

  const charts = [];
  const shapes = ["circle", "triangle", "rect", "rectRot", "star", "crossRot"];

  /** Colours of the page, or of paper. */
  function theme(printing) {
    const style = getComputedStyle(printing ? document.querySelector(".light") : root);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    return { ink: of("ink"), quiet: of("quiet"), line: of("line"), page: of("page"), wash: of("raised"),
             series: [1, 2, 3, 4, 5, 6, 7, 8].map((i) => of(`c${i}`)) };
  }
  let colours = theme(false);

  const colour = (i) => colours.series[i % colours.series.length];
  const shape = (i) => shapes[Math.floor(i / colours.series.length + i) % shapes.length];

  /** An axis with its title. */
  function axis(title, more = {}) {
    return { title: { display: true, text: title }, ...more };
  }

  /** Makes a chart whose configuration is made again, in the colours of the day, when they change. */
  function draw(canvas, configure) {
    const make = () => {
      const config = configure();
      config.options = { animation: false, maintainAspectRatio: false, responsive: true, ...config.options };
      return config;
    };
    const entry = { make, chart: null };
    colourDefaults();
    entry.chart = new Chart(canvas, make());
    charts.push(entry);
    return entry;
  }

  function colourDefaults() {
    Chart.defaults.color = colours.ink;
    Chart.defaults.borderColor = colours.line;
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.plugins.legend.position = "bottom";
    Chart.defaults.plugins.legend.labels.usePointStyle = true;
  }

  function refresh(entry) {
    const config = entry.make();
    entry.chart.data = config.data;
    entry.chart.options = config.options;
    entry.chart.update("none");
  }

  function recolour(printing) {
    colours = theme(printing);
    colourDefaults();
    for (const entry of charts) {
      refresh(entry);
      entry.chart.resize();
    }
  }

  /** Intervals as bars through their points, a band of noise, and the line where nothing has changed. */
  const intervals = {
    id: "intervals",
    beforeDatasetsDraw({ ctx, chartArea, scales }, _, { noise }) {
      ctx.save();
      if (noise) {
        const top = scales.y.getPixelForValue(noise.high);
        ctx.fillStyle = `${colours.series[7]}80`;
        ctx.fillRect(chartArea.left, top, chartArea.width, Math.max(scales.y.getPixelForValue(noise.low) - top, 1));
      }
      ctx.strokeStyle = colours.quiet;
      ctx.setLineDash([4, 4]);
      ctx.beginPath();
      ctx.moveTo(chartArea.left, scales.y.getPixelForValue(1));
      ctx.lineTo(chartArea.right, scales.y.getPixelForValue(1));
      ctx.stroke();
      ctx.restore();
    },
    afterDatasetsDraw(chart) {
      const { ctx, scales } = chart;
      ctx.save();
      chart.data.datasets.forEach((dataset, i) => {
        if (!chart.isDatasetVisible(i)) return;
        ctx.strokeStyle = dataset.borderColor;
        ctx.lineWidth = 1.5;
        for (const { x, low, high } of dataset.data) {
          const at = scales.x.getPixelForValue(x);
          ctx.beginPath();
          ctx.moveTo(at, scales.y.getPixelForValue(low));
          ctx.lineTo(at, scales.y.getPixelForValue(high));
          ctx.stroke();
        }
      });
      ctx.restore();
    },
  };

  /** Ratios by M: M evenly spaced, the series of one M side by side. */
  function ratios(canvas, series, noise) {
    const rows = [...new Set(series.flatMap((s) => s.points.map((p) => p.m)))].sort((a, b) => a - b);
    const step = Math.min(0.7 / series.length, 0.12);
    const all = [1, ...series.flatMap((s) => s.points.flatMap((p) => [p.low, p.high]))];
    const margin = (Math.max(...all) - Math.min(...all)) * 0.06 || 0.05;
    draw(canvas, () => ({
      type: "scatter",
      data: {
        datasets: series.map((s, i) => ({
          label: s.name, borderColor: colour(i), backgroundColor: colour(i), pointStyle: shape(i), pointRadius: 5,
          data: s.points.map((p) => ({ ...p, y: p.ratio, x: rows.indexOf(p.m) + (i - (series.length - 1) / 2) * step })),
        })),
      },
      options: {
        scales: {
          x: axis("rows M", {
            min: -0.6, max: rows.length - 0.4, grid: { display: false },
            afterBuildTicks: (scale) => { scale.ticks = rows.map((_, i) => ({ value: i })); },
            ticks: { autoSkip: false, callback: (i) => rows[i] },
          }),
          y: axis("candidate / control", { suggestedMin: Math.min(...all) - margin, suggestedMax: Math.max(...all) + margin,
                                           ticks: { callback: (v) => v.toFixed(2) } }),
        },
        plugins: {
          intervals: { noise },
          legend: { display: series.length <= 16 },
          tooltip: { callbacks: { label: ({ dataset, raw }) =>
            `${dataset.label}, M ${raw.m}: ${raw.ratio.toFixed(3)} (${raw.low.toFixed(3)}–${raw.high.toFixed(3)})` } },
        },
      },
      plugins: [intervals],
    }));
  }

  /** Raw samples of one case at a time. */
  function samples(cases) {
    const select = document.getElementById("sample-case");
    for (const { id } of cases) select.add(new Option(id));
    const entry = draw(document.getElementById("chart-samples"), () => {
      const points = cases[select.selectedIndex].samples.map(([side, seconds, counted], x) => ({ side, counted, x, y: seconds * 1e6 }));
      return {
        type: "scatter",
        data: {
          datasets: ["control", "candidate", "not counted"].map((label, i) => ({
            label, data: points.filter((p) => (p.counted ? p.side : 2) === i), pointRadius: 4,
            borderColor: i < 2 ? colour(i) : colours.quiet, backgroundColor: colour(i), pointStyle: i < 2 ? shapes[i] : "crossRot",
          })),
        },
        options: {
          scales: { x: axis("sample, in the order of time"), y: axis("µs a launch") },
          plugins: { tooltip: { callbacks: { label: ({ raw }) =>
            `${raw.side ? "candidate" : "control"}, sample ${raw.x}: ${raw.y.toFixed(3)} µs${raw.counted ? "" : ", not counted"}` } } },
        },
      };
    });
    select.addEventListener("change", () => refresh(entry));
  }

  function roofline({ points, ceilings }) {
    const rows = [...new Set(points.map((p) => p.m))].sort((a, b) => a - b);
    const reach = points.map((p) => p.intensity);
    const ends = [Math.min(...reach) / 2, Math.max(...reach) * 2];
    draw(document.getElementById("chart-roofline"), () => ({
      type: "scatter",
      data: {
        datasets: [
          ...rows.map((m, i) => ({
            label: `M ${m}`, borderColor: colour(i), backgroundColor: colour(i), pointStyle: shape(i), pointRadius: 5,
            data: points.filter((p) => p.m === m).map((p) => ({ x: p.intensity, y: p.rate / 1e12, id: p.id })),
          })),
          ...ceilings.map((bytes) => ({
            label: `${(bytes / 1e12).toFixed(2)} TB/s measured`, type: "line", pointRadius: 0, pointHitRadius: 0,
            pointStyle: "line", borderColor: colours.quiet, borderWidth: 2,
            data: ends.map((x) => ({ x, y: (x * bytes) / 1e12 })),
          })),
        ],
      },
      options: {
        scales: { x: axis("operations a byte", { type: "logarithmic", min: ends[0], max: ends[1] }),
                  y: axis("10¹² operations a second", { type: "logarithmic" }) },
        plugins: { tooltip: { callbacks: { label: ({ raw }) => `${raw.id}: ${raw.y.toFixed(2)}` } } },
      },
    }));
  }

  /** Stacked bars that lie, one a row. */
  function bars(canvas, rows, parts, title, format) {
    canvas.parentElement.style.height = `${9 + rows.length * 1.9}rem`;
    draw(canvas, () => ({
      type: "bar",
      data: { labels: rows, datasets: parts.map((p, i) => ({ label: p.name, data: p.values, backgroundColor: colour(i),
                                                             borderColor: colours.page, borderWidth: 1, maxBarThickness: 26 })) },
      options: {
        indexAxis: "y",
        scales: { x: axis(title, { stacked: true }), y: { stacked: true, grid: { display: false }, ticks: { autoSkip: false } } },
        plugins: { legend: { labels: { usePointStyle: false, boxWidth: 12 } },
                   tooltip: { callbacks: { label: ({ dataset, raw }) => `${dataset.label}: ${format(raw)}` } } },
      },
    }));
  }

  function storage(ledgers) {
    for (const ledger of ledgers) {
      const figure = document.createElement("figure");
      const caption = document.createElement("figcaption");
      caption.textContent = ledger.name;
      const plot = document.createElement("div");
      plot.className = "plot";
      const canvas = document.createElement("canvas");
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", "Bytes by storage policy; the values are in the table below");
      plot.append(canvas);
      figure.append(caption, plot);
      document.getElementById("charts-storage").append(figure);
      const parts = ledger.items.map((item) => ({ name: item.name, values: item.bytes.map((b) => b / 2 ** 30) }));
      bars(canvas, ledger.policies, parts, "GiB over all ranks", (gib) => `${gib.toFixed(6)} GiB`);
    }
  }

  /** The description of a cell stands beside it, and goes with Escape. */
  function tips() {
    for (const link of document.querySelectorAll("td > a[aria-describedby]")) {
      const tip = link.nextElementSibling;
      const place = () => {
        link.classList.remove("dismissed");
        const cell = link.parentElement.getBoundingClientRect();
        const width = Math.min(560, root.clientWidth - 16);
        tip.style.width = `${width}px`;
        tip.style.right = tip.style.bottom = "auto";
        tip.style.left = `${Math.max(8, Math.min(cell.left, root.clientWidth - width - 8))}px`;
        const above = cell.top - tip.offsetHeight;
        tip.style.top = `${cell.bottom + tip.offsetHeight > root.clientHeight && above >= 0 ? above : cell.bottom}px`;
      };
      link.addEventListener("focus", place);
      link.parentElement.addEventListener("pointerenter", place);
      const dismiss = (event) => { if (event.key === "Escape") link.classList.add("dismissed"); };
      link.addEventListener("keydown", dismiss);
      link.parentElement.addEventListener("pointerenter", () => document.addEventListener("keydown", dismiss));
      link.parentElement.addEventListener("pointerleave", () => document.removeEventListener("keydown", dismiss));
    }
  }

  const canvas = (name) => document.getElementById(`chart-${name}`);
  tips();
  if (data.weighted.length) ratios(canvas("weighted"), data.weighted, null);
  if (data.comparisons.length) ratios(canvas("comparisons"), data.comparisons, data.noise);
  if (data.samples.length) samples(data.samples);
  if (data.roofline.points.length) roofline(data.roofline);
  if (data.cost.rows.length && canvas("cost"))
    bars(canvas("cost"), data.cost.rows, data.cost.kinds, "warp instructions for 1,024 multiply-adds", (v) => v.toFixed(2));
  storage(data.storage);

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => recolour(false));
  addEventListener("beforeprint", () => recolour(true));
  addEventListener("afterprint", () => recolour(false));
})();
