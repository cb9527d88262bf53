// A person's actions. Nothing is shown before the broker has confirmed it; a refusal stays until it is closed, and typed text is kept.
import { refresh, isSignedOut, isStale } from './live.js';

const toasts = document.getElementById('toasts');
const icon = name => { const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); svg.setAttribute('class', 'i'); svg.setAttribute('aria-hidden', 'true'); const use = document.createElementNS('http://www.w3.org/2000/svg', 'use'); use.setAttribute('href', `${document.body.dataset.icons}#${name}`); svg.append(use); return svg; };

/** Shows characters that hide or reorder others' text as their code points; the broker does the same in pages. */
export const visible = text => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0\u{e0000}-\u{e0fff}]/gu, c => c === '\n' || c === '\t' ? c : `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);

/** Title and text may be others': they are set as text, never as HTML. */
export const toast = (look, title, text = '', more = null) => {
  const box = document.createElement('div'), words = document.createElement('div'), close = document.createElement('button');
  box.className = `toast ${look}`;
  words.append(Object.assign(document.createElement('strong'), { textContent: visible(title) }));
  if (text) words.append(Object.assign(document.createElement('p'), { textContent: visible(text) }));
  if (more) words.append(more);
  close.type = 'button'; close.className = 'btn quiet ic sm'; close.setAttribute('aria-label', 'Close'); close.append(icon('x'));
  close.addEventListener('click', () => box.remove());
  box.append(icon(look === 'bad' ? 'ban' : 'check'), words, close);
  toasts.append(box);
  if (look === 'good') setTimeout(() => box.remove(), 5000);
};

/* The most useful answer is who was faster, whatever else the broker says. */
const why = answer => answer.code === 'held' && answer.holder && !answer.error.includes(answer.holder) ? `${answer.holder} was faster and holds it now.` : answer.error;

const said = xhr => { try { return JSON.parse(xhr.responseText); } catch { return {}; } };

/* A form keeps its key until the broker has answered: if it is sent again, for lack of an answer or any other reason, it acts once. */
const key = form => form.dataset.formKey ||= [...crypto.getRandomValues(new Uint32Array(4))].map(part => part.toString(36)).join('-');

/** What every action sends besides its fields: proof that it comes from this page, and who the page says is acting. */
export const proof = () => {
  const me = document.querySelector('[data-me]')?.dataset.me;
  return { 'Holdfast-Token': document.body.dataset.token, ...me && { 'Holdfast-Person': me } };
};
addEventListener('htmx:configRequest', e => {
  Object.assign(e.detail.headers, proof());
  if (e.detail.verb === 'post') e.detail.parameters.form_key = key(e.detail.elt);
});
/* A form is sent once: until the broker has answered and the page shows it, its buttons are disabled, and neither a key press nor the
   second half of a double click sends anything, whatever is under the pointer by then. */
const sending = new Map();
const SENDS = 'form[hx-post], form[data-each]';
const begin = form => {
  const buttons = [...form.querySelectorAll('button')], spin = setTimeout(() => form.classList.add('sending'), 300);
  buttons.forEach(b => { b.disabled = true; });
  form.dataset.sends = '';
  sending.set(form, () => { sending.delete(form); clearTimeout(spin); delete form.dataset.sends; form.classList.remove('sending'); buttons.forEach(b => { b.disabled = false; }); });
};
const end = form => sending.get(form)?.();
addEventListener('click', e => { if (e.detail > 1 && e.target.closest('button')?.closest(SENDS)) { e.preventDefault(); e.stopImmediatePropagation(); } }, true);
addEventListener('submit', e => { if (sending.has(e.target)) { e.preventDefault(); e.stopImmediatePropagation(); } }, true);

/* An action that needs a name waits for it and then goes on by itself; if no name is given, nothing happens. */
const unnamed = new Map();
class Unnamed { constructor(answer) { this.answer = answer; } }
const isUnnamed = answer => answer.needs && document.querySelector('#person [name=name]');
const sayWhy = text => { const why = document.querySelector('#person [data-why]'); if (why) { why.textContent = visible(text); why.hidden = !text; } };
const askWho = (form, button, answer) => {
  const person = document.getElementById('person');
  sayWhy(answer.needs === 'name' ? '' : answer.error);
  unnamed.set(form, button);
  form.dataset.waits = '';
  if (!person.open) person.showModal();
};
const named = () => { const all = [...unnamed]; unnamed.clear(); all.forEach(([form]) => { delete form.dataset.waits; }); return all; };
addEventListener('close', e => { if (e.target.id === 'person') named(); }, true);

/* Signing in elsewhere keeps this page, with what was typed in it. */
const saySignedOut = () => toast('bad', 'You are signed out', 'Nothing was sent; what you typed is still here. Sign in, then try again.', Object.assign(document.createElement('a'), { className: 'link', href: '/sign-in', target: '_blank', textContent: 'Sign in' }));
const sayAway = () => isSignedOut() ? saySignedOut() : toast('bad', 'Not possible now', 'The broker cannot be reached. Nothing was sent; what you typed is still here.');
addEventListener('htmx:beforeRequest', e => {
  if (e.detail.requestConfig.verb !== 'post') return;
  if (isStale()) { e.preventDefault(); sayAway(); return; }
  begin(e.detail.elt);
});
addEventListener('htmx:afterRequest', async e => {
  const { elt, xhr, successful, requestConfig } = e.detail;
  if (requestConfig?.verb !== 'post') return;
  const form = elt.closest('form') || elt;
  if (xhr.status && xhr.status < 500) delete elt.dataset.formKey; // a 5xx may come from a proxy that got no answer from the broker
  if (successful) {
    const goOn = form.closest('#person') ? named() : [];
    if (goOn.length) delete document.querySelector('[data-me]')?.dataset.me; // until the page is fetched again, it shows the name before
    form.closest('dialog')?.close();
    if (form.reset && !form.hasAttribute('hx-trigger')) { form.reset(); form.querySelectorAll('textarea, input').forEach(f => { f.defaultValue = f.value; }); }
    const message = requestConfig.triggeringEvent?.submitter?.dataset.said || form.dataset.said;
    if (message) toast('good', message);
    form.dispatchEvent(new CustomEvent('holdfast:done', { bubbles: true, detail: said(xhr) }));
    const found = form.dataset.goes && said(xhr)[form.dataset.goesTo];
    if (found) { location.href = form.dataset.goes + found; return; }
    if (form.dataset.nothing) toast('good', form.dataset.nothing);
    if (goOn.length) goOn.forEach(([waited, button]) => waited.requestSubmit(button));
    else if (form.dataset.then === 'reload') location.reload();
    else if (form.dataset.then) location.href = form.dataset.then;
    else await refresh();
  } else if (xhr.status) {
    const answer = said(xhr);
    if (isUnnamed(answer)) { end(elt); askWho(form, requestConfig.triggeringEvent?.submitter, answer); return; }
    if (xhr.status === 401) { saySignedOut(); end(elt); return; }
    if (form.closest('#person')) sayWhy(answer.error);
    toast('bad', xhr.status === 403 ? 'Not allowed' : xhr.status === 409 || xhr.status === 412 ? 'Refused' : 'That did not work', why(answer) || `The broker answered ${xhr.status}.`);
    await refresh();
  } else {
    toast('bad', 'Not sent', 'The broker cannot be reached. What you typed is still here.');
  }
  end(elt);
});

/* A greyed-out button is possible in principle, but not now; a click says why. */
addEventListener('click', e => {
  const off = e.target.closest('[aria-disabled=true]');
  if (!off) return;
  e.preventDefault();
  e.stopImmediatePropagation();
  toast('bad', 'Not yet', off.title);
}, true);

/* The field for another name is shown only while the option that needs it is chosen. */
const naming = choice => {
  const field = document.getElementById(choice.dataset.names), off = choice.selectedOptions[0]?.dataset.other === undefined;
  field.hidden = off;
  field.querySelector('input').disabled = off;
};
addEventListener('change', e => { if (e.target.matches('select[data-names]')) naming(e.target); });
addEventListener('reset', e => setTimeout(() => e.target.querySelectorAll('select[data-names]').forEach(naming)));

const opener = new WeakMap();
addEventListener('click', e => {
  const target = e.target.closest('[data-open], [data-close], [data-copy], dialog');
  if (!target) return;
  if (target.matches('[data-open]')) {
    const dialog = document.getElementById(target.dataset.open);
    if (!dialog) return;
    opener.set(dialog, target);
    if (target.dataset.fill) Object.entries(JSON.parse(target.dataset.fill)).forEach(([name, value]) => { const field = dialog.querySelector(`[name="${CSS.escape(name)}"]`); if (field) { field.value = value; field.defaultValue = value; } dialog.querySelectorAll(`[data-says="${CSS.escape(name)}"]`).forEach(text => { text.textContent = visible(String(value)); }); });
    dialog.showModal();
    dialog.querySelector('textarea, input[type=text]:not([hidden])')?.focus(); // or what is typed next would press Cancel
  } else if (target.matches('[data-close]')) target.closest('dialog').close();
  else if (target.matches('[data-copy]')) navigator.clipboard?.writeText(target.dataset.copy).then(() => { target.classList.add('ok'); setTimeout(() => target.classList.remove('ok'), 1200); });
  else if (e.target === target) target.close();
});
addEventListener('close', e => opener.get(e.target)?.focus?.(), true);

const post = (to, fields) => fetch(to, { method: 'POST', headers: proof(), body: new URLSearchParams(fields) });

/* One call each: a refusal is reported, and the rest goes on. */
const each = async (form, fields, of, report) => {
  const rest = fields.filter(([name]) => name !== of), all = fields.filter(([name]) => name === of);
  for (const one of all) {
    const response = await post(form.dataset.each, [one, ...rest]), said = await response.json();
    if (isUnnamed(said)) throw new Unnamed(said);
    report(response.ok ? 1 : 0, response.ok ? [] : [said.error], all.length);
  }
};

/* All that match the page's filter, in batches as large as the broker allows; no more than were counted. */
const matching = async (form, fields, of, report) => {
  const rest = fields.filter(([name]) => name !== of), verb = form.dataset.each.split('/').pop(), most = Number(form.dataset.count);
  let after = '', seen = 0;
  do {
    const response = await post(`${form.dataset.matching}${location.search}`, [...rest, ['verb', verb], ['after', after]]), said = await response.json();
    if (isUnnamed(said)) throw new Unnamed(said);
    if (!response.ok) { report(0, [said.error], most); return; }
    seen += said.done + said.refused;
    report(said.done, Array(said.refused).fill(said.why), most);
    after = said.next || '';
  } while (after && seen < most);
};

/* The same action on several things. */
addEventListener('submit', async e => {
  const form = e.target.closest('form[data-each]');
  if (!form) return;
  e.preventDefault();
  if (isStale()) { sayAway(); return; }
  const progress = form.querySelector('[data-progress]'), refused = [];
  let done = 0;
  const report = (more, why, all) => { done += more; refused.push(...why); if (progress) progress.textContent = `${(done + refused.length).toLocaleString('en')} of ${all.toLocaleString('en')}`; };
  begin(form);
  try { await (form.dataset.matching ? matching : each)(form, [...new FormData(form)], form.dataset.eachOf, report); } catch (problem) {
    if (problem instanceof Unnamed) { end(form); askWho(form, e.submitter, problem.answer); return; }
    refused.push('the broker cannot be reached');
  }
  if (progress) progress.textContent = '';
  form.closest('dialog')?.close();
  form.reset();
  if (done) toast('good', `${done.toLocaleString('en')} done`);
  if (refused.length) toast('bad', `${refused.length.toLocaleString('en')} refused`, refused[0]);
  form.dispatchEvent(new CustomEvent('holdfast:done', { bubbles: true }));
  await refresh();
  end(form);
});
