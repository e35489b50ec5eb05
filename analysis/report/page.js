// SPDX-License-Identifier: Apache-2.0
// Filters of the report's page: what is of a case is shown where all that is chosen fits it.
"use strict";
{
  const facets = {
    dimension: text => (text.match(/\b([123]d) n=/) || text.match(/\b(uniform):/) || [])[1],
    coils: text => / n=/.test(text) ? (text.match(/ coils=(\d+)/) || [0, "1"])[1] : undefined,
    field: text => !/ n=/.test(text) ? undefined : / grad=/.test(text) ? "with gradients" :
      / field=/.test(text) ? "field map" : "none",
    backend: text => (text.match(/\.(cuda|cpu)\b/) || [])[1],
  };
  const told = { FIGURE: e => e.querySelector("svg").getAttribute("aria-label"),
    DETAILS: e => e.firstChild.textContent + e.textContent.slice(0, 2000), TBODY: e => e.textContent };
  const parts = [...document.querySelectorAll("figure, details, tbody")].map(element => {
    const text = told[element.tagName](element), of = {};
    for (const name in facets) of[name] = facets[name](text);
    return { element, of };
  }).filter(part => part.of.dimension && !(part.element.tagName === "DETAILS" && part.element.querySelector("details, figure")));

  const chosen = {}, form = document.createElement("form");
  const show = () => parts.forEach(({ element, of }) => {
    element.hidden = Object.keys(chosen).some(name => chosen[name] && of[name] !== undefined && of[name] !== chosen[name]);
  });
  for (const name in facets) {
    const values = [...new Set(parts.map(part => part.of[name]).filter(Boolean))];
    if (values.length < 2) continue;
    const label = document.createElement("label"), select = document.createElement("select");
    values.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    select.append(new Option("all", ""), ...values.map(value => new Option(value, value)));
    select.addEventListener("change", () => { chosen[name] = select.value; show(); });
    label.append(name + " ", select);
    form.append(label);
  }
  form.className = "filters";
  if (form.children.length) document.querySelector("header").append(form);
}
