"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const $ = (id) => document.getElementById(id);
  let step = data.at;
  let timer = null;
  root.classList.add("scripted");

  // Everything that is shown is text: nothing here is ever read as HTML.
  function make(tag, text, name) {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    if (name) element.className = name;
    return element;
  }
  function list(id, texts) {
    $(id).replaceChildren(...texts.map((text) => make("li", text)));
  }

  function drawDrawing(frame) {
    const pieces = [];
    for (const number of frame.draw || []) {
      for (const [text, name] of data.lines[number]) {
        pieces.push(name ? make("span", text, name) : document.createTextNode(text));
      }
      pieces.push(document.createTextNode("\n"));
    }
    $("drawing").replaceChildren(...pieces);
    $("drawing-note").textContent = frame.note === null ? "" : data.notes[frame.note];
    const here = $("drawing").querySelector(".here");
    if (here) follow($("drawing"), here);
  }

  // Scrolls a pane, and only the pane, so that what it is about is in sight.
  function follow(pane, element) {
    const outer = pane.getBoundingClientRect(), inner = element.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      pane.scrollTop += inner.top - outer.top - outer.height / 2;
    }
    if (inner.left < outer.left || inner.right > outer.right) {
      pane.scrollLeft += inner.left - outer.left - outer.width / 2;
    }
  }

  const NUMBERS = new Set([2, 3, 4, 5, 6]);
  function cardRow(cells) {
    const row = make("tr", null, cells[0] ? "now" : "");
    if (cells[0]) row.setAttribute("aria-current", "step");
    row.append(...cells.map((cell, n) => make("td", cell, NUMBERS.has(n) ? "num" : n === 7 ? "k" : "")));
    return row;
  }
  function drawCard(card) {
    if (!card) return;
    $("card-title").textContent = card.name;
    $("card-value").textContent = card.value;
    $("card-shape").textContent = card.shape;
    $("card-grad-head").textContent = card.grad_head;
    $("card-grad").textContent = card.grad;
    $("card-count").textContent = card.count;
    list("card-about", card.about);
    $("card-table").tBodies[0].replaceChildren(...card.rows.map(cardRow));
    $("card-table").hidden = card.rows.length === 0;
    list("card-remarks", card.remarks);
  }

  // How the reverse order of a pass stands at a step: as it was first, then step for step.
  function standing(at) {
    const pass = data.frames[at - data.first].pass;
    const rows = (data.passes[pass] || { rows: [] }).rows.map((row) => row.slice());
    for (let k = data.first; k <= at; k += 1) {
      const frame = data.frames[k - data.first];
      if (frame.pass !== pass) continue;
      for (const [row, sign, grad] of frame.set) {
        rows[row][2] = sign;
        rows[row][3] = grad;
      }
    }
    return rows;
  }
  function node([name, value, sign, grad, done], number, now) {
    const item = make("li", null, number === now ? "now" : "");
    const inner = make(done === null ? "span" : "a");
    if (done !== null) {
      inner.href = `#step=${done}`;
      inner.title = `complete at step ${done}; value ${value}`;
    } else {
      inner.title = `value ${value}`;
    }
    if (number === now) item.setAttribute("aria-current", "step");
    inner.append(make("i", `${number === now ? "▶ " : ""}${sign} `), name);
    if (grad !== "") inner.append(" ", make("em", grad));
    item.append(inner);
    return item;
  }
  function drawOrder(frame) {
    const pass = data.passes[frame.pass];
    $("order").replaceChildren(...standing(step).map((row, n) => node(row, n, frame.now)));
    const left = pass ? pass.left : 0;
    $("order-left").textContent = left ? `${left} more nodes are left out here.` : "";
  }

  function markRow() {
    const before = document.querySelector("#steps tr.now");
    if (before) {
      before.classList.remove("now");
      before.removeAttribute("aria-current");
    }
    const row = $(`row-${step}`);
    if (row) {
      row.classList.add("now");
      row.setAttribute("aria-current", "step");
      follow($("steps"), row);
    }
  }

  function show(wanted) {
    step = Math.min(Math.max(Math.round(wanted), data.first), data.last);
    const frame = data.frames[step - data.first];
    $("slider").value = step;
    $("slider").setAttribute("aria-valuetext", frame.place);
    $("place").textContent = frame.place;
    $("why").textContent = frame.why;
    $("next").textContent = frame.next;
    drawDrawing(frame);
    drawCard(frame.card);
    drawOrder(frame);
    markRow();
    $("go-first").disabled = $("go-back").disabled = step === data.first;
    $("go-last").disabled = $("go-on").disabled = step === data.last;
  }
  function go(wanted) {
    show(wanted);
    history.replaceState(null, "", `#step=${step}`);
  }

  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => (step < data.last ? go(step + 1) : play(false)), 1500) : null;
    $("play").textContent = on ? "pause" : "play";
    $("play").setAttribute("aria-pressed", String(on));
  }

  // The system's colours, or the reader's choice, kept where the browser allows it.
  const THEMES = ["system", "light", "dark"];
  function theme(name) {
    if (name === "system") delete root.dataset.theme;
    else root.dataset.theme = name;
    $("theme").textContent = `theme: ${name}`;
  }
  function kept() {
    try { return localStorage.getItem("bpstep-theme") || "system"; } catch { return "system"; }
  }
  function keep(name) {
    try { localStorage.setItem("bpstep-theme", name); } catch { /* not allowed: for now only */ }
  }

  function fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const number = Number.parseInt(asked.get("step"), 10);
    if (THEMES.includes(asked.get("theme"))) theme(asked.get("theme"));
    return Number.isNaN(number) ? step : number;
  }

  const KEYS = {
    ArrowLeft: () => step - 1,
    ArrowRight: () => step + 1,
    Home: () => data.first,
    End: () => data.last,
  };
  document.addEventListener("keydown", (event) => {
    const key = KEYS[event.key];
    // A pane that scrolls has its own use for them, and so has the slider.
    const taken = event.target.closest && event.target.closest(".scroll, input");
    if (!key || taken || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(key());
  });
  $("slider").addEventListener("input", () => go($("slider").valueAsNumber));
  $("go-first").addEventListener("click", () => go(data.first));
  $("go-back").addEventListener("click", () => go(step - 1));
  $("go-on").addEventListener("click", () => go(step + 1));
  $("go-last").addEventListener("click", () => go(data.last));
  $("play").addEventListener("click", () => play(timer === null));
  $("theme").addEventListener("click", () => {
    const name = THEMES[(THEMES.indexOf(root.dataset.theme || "system") + 1) % THEMES.length];
    theme(name);
    keep(name);
  });
  window.addEventListener("hashchange", () => show(fromAddress()));

  theme(kept());
  show(fromAddress());
})();
