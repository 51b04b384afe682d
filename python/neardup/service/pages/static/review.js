// Updates the figures of a review while its threshold is dragged. The figures of all thresholds are fetched once.

const form = document.querySelector("form.slide");
const slider = form.elements.point;
const shown = document.querySelector("#shown");
const own = document.querySelector("#own");
const response = await fetch(form.dataset.curve);
if (response.ok) {
  const points = await response.json();
  form.querySelector(".unscripted").hidden = true;
  const chosen = () => points[slider.valueAsNumber];
  slider.addEventListener("input", () => show(chosen()));
  // The address keeps the threshold for a reload, and for others who open it.
  slider.addEventListener("change", () =>
    history.replaceState(null, "", `?threshold=${encodeURIComponent(chosen().threshold)}`),
  );
}

/** Formats a share with three decimal places. A share below 1 is never shown as 1. */
function share(value) {
  return value === 1 ? "1" : Math.min(value, 0.999).toFixed(3);
}

function show(point) {
  shown.value = point.threshold;
  slider.ariaValueText = point.threshold;
  own.hidden = own.dataset.own !== point.threshold;
  for (const place of document.querySelectorAll("[data-figure]")) {
    const figure = point[place.dataset.figure];
    place.textContent =
      typeof figure === "number" ? figure.toLocaleString("en") : figure.value === null ? "–" : share(figure.value);
  }
  for (const place of document.querySelectorAll("[data-range]")) {
    const figure = point[place.dataset.range];
    place.textContent = figure.value === null ? figure.reason : `${share(figure.low)} to ${share(figure.high)}`;
  }
  for (const place of document.querySelectorAll("[data-threshold]")) {
    place.classList.toggle("chosen", place.dataset.threshold === point.threshold);
  }
}
