// The theme: system, light or dark. Loaded before anything is painted, so that no page flashes in the wrong one.
(() => {
  const root = document.documentElement;
  const next = { system: 'light', light: 'dark', dark: 'system' };
  const icon = { system: 'auto', light: 'sun', dark: 'moon' };
  const kept = () => { try { return localStorage.getItem('holdfast-theme'); } catch { return null; } };
  const keep = theme => { try { localStorage.setItem('holdfast-theme', theme); } catch { /* private mode */ } };
  const now = () => root.dataset.theme || 'system';
  const set = theme => { if (theme === 'light' || theme === 'dark') root.dataset.theme = theme; else delete root.dataset.theme; };
  const paint = () => document.querySelectorAll('[data-theme-toggle]').forEach(button => {
    button.setAttribute('aria-label', `Theme: ${now()}. Change`);
    button.title = `Theme: ${now()}`;
    button.querySelector('use').setAttribute('href', `${document.body.dataset.icons}#${icon[now()]}`);
  });
  const change = () => { set(next[now()]); keep(now()); paint(); };
  set(kept());
  addEventListener('DOMContentLoaded', paint);
  addEventListener('click', e => { if (e.target.closest('[data-theme-toggle]')) change(); });
  addEventListener('holdfast:theme', change);
})();
