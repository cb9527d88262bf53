// Completes a filter's field from everything that the broker knows, not just what the page shows. In a field for several kinds of values,
// the word being typed names the kind: agent:cla.
const PAUSE = 150;
let timer = 0, asked = 0;

const wanted = field => {
  if (field.dataset.completes) return { of: field.dataset.completes, begins: field.value, before: '' };
  const word = field.value.split(/\s/).at(-1), colon = word.indexOf(':');
  return colon > 0 ? { of: word.slice(0, colon), begins: word.slice(colon + 1), before: field.value.slice(0, field.value.length - word.length + colon + 1) } : null;
};

const complete = async field => {
  const mine = ++asked, want = wanted(field), list = field.list;
  if (!want || !list) return;
  try {
    const response = await fetch(`/ui/known?${new URLSearchParams({ of: want.of, begins: want.begins })}`, { cache: 'no-store' });
    if (!response.ok || mine !== asked) return;
    const found = [...new DOMParser().parseFromString(await response.text(), 'text/html').querySelectorAll('option')].map(option => option.value).filter(value => !want.before || !/\s/.test(value));
    const there = new Set([...list.options].map(option => option.value));
    list.querySelectorAll('[data-found]').forEach(option => { if (!option.value.startsWith(field.value)) { there.delete(option.value); option.remove(); } });
    found.map(value => want.before + value).filter(value => !there.has(value)).forEach(value => { const option = document.createElement('option'); option.value = value; option.dataset.found = ''; list.append(option); });
  } catch { /* completions that are in the page need no broker */ }
};

const isOne = field => field.matches?.('input[data-completes], input[data-completes-words]');
addEventListener('input', e => { if (isOne(e.target)) { clearTimeout(timer); timer = setTimeout(complete, PAUSE, e.target); } });
addEventListener('focusin', e => { if (isOne(e.target)) complete(e.target); });
