// The palette: places, the page's actions, and what the broker finds.
const palette = document.getElementById('palette');
const input = palette?.querySelector('input');
const list = palette?.querySelector('.list');
const PAUSE = 150;
let own = [], timer = 0, asked = 0;

const entries = () => [...list.querySelectorAll('.o')];
const choose = entry => {
  entries().forEach(e => e.setAttribute('aria-selected', String(e === entry)));
  entry?.scrollIntoView({ block: 'nearest' });
  if (entry) { entry.id ||= `o${entries().indexOf(entry)}`; input.setAttribute('aria-activedescendant', entry.id); }
};

/** Everything on the page that has a key can be done from here as well. */
const deeds = () => [...document.querySelectorAll('main [data-press]')].map(button => {
  const entry = document.createElement('button');
  entry.type = 'button'; entry.className = 'o'; entry.dataset.group = 'On this page'; entry.setAttribute('role', 'option'); entry.tabIndex = -1;
  entry.append(document.createElement('span'), Object.assign(document.createElement('span'), { className: 'trunc', textContent: button.dataset.says || button.textContent.trim() || button.getAttribute('aria-label') }), Object.assign(document.createElement('span'), { className: 'x', textContent: button.dataset.press.replace(/^[A-Z]$/, k => `shift ${k.toLowerCase()}`) }));
  entry.addEventListener('click', () => { palette.close(); button.click(); });
  return entry;
});

/** Marks the first place of each word in a title. */
const mark = (title, words) => {
  const text = title?.textContent ?? '', small = text.toLowerCase(), parts = [];
  let done = 0;
  words.map(word => [small.indexOf(word), word.length]).sort((one, other) => one[0] - other[0]).forEach(([at, length]) => {
    if (at < done) return;
    parts.push(text.slice(done, at), Object.assign(document.createElement('mark'), { textContent: text.slice(at, at + length) }));
    done = at + length;
  });
  title?.replaceChildren(...parts, text.slice(done));
};

/** Entries below the heads of their groups. */
const grouped = all => {
  const groups = new Map();
  all.forEach(entry => {
    const name = entry.dataset.group;
    if (!groups.has(name)) {
      const group = document.createElement('div'), head = Object.assign(document.createElement('h3'), { textContent: name });
      group.setAttribute('role', 'group'); group.setAttribute('aria-label', name); head.setAttribute('role', 'presentation');
      group.append(head);
      groups.set(name, group);
    }
    groups.get(name).append(entry);
  });
  return [...groups.values()];
};

const show = (found = []) => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.forEach(entry => mark(entry.querySelector('.trunc bdi'), words));
  const fits = own.filter(entry => words.every(word => entry.textContent.toLowerCase().includes(word)));
  list.replaceChildren(...grouped([...found, ...fits]));
  choose(entries()[0]);
};

const find = async () => {
  const mine = ++asked, query = input.value.trim();
  if (query.length < 2) { show(); return; }
  show();
  try {
    const response = await fetch(`/ui/find?${new URLSearchParams({ q: query })}`, { cache: 'no-store' });
    if (!response.ok || mine !== asked) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    show([...fresh.body.children].map(node => document.adoptNode(node)));
  } catch { /* places need no broker */ }
};

if (palette) {
  const places = entries();
  new MutationObserver(() => { if (palette.open) { own = [...places, ...deeds()]; input.value = ''; show(); } }).observe(palette, { attributes: true, attributeFilter: ['open'] });
  input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(find, PAUSE); });
  input.addEventListener('keydown', e => {
    const all = entries(), now = all.findIndex(entry => entry.getAttribute('aria-selected') === 'true');
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') { e.preventDefault(); choose(all[(now + (e.key === 'ArrowDown' ? 1 : -1) + all.length) % all.length]); }
    if (e.key === 'Enter') { e.preventDefault(); all[now]?.click(); }
  });
}
