// The link that holdfast open prints has the token after its #, where no server and no log sees it. The broker's own user is signed
// in at once: nobody else has that token. But anybody could send a link with a team token, so the page asks first.
const form = document.querySelector('form'), brought = location.hash.slice(1).trim();
history.replaceState(null, '', location.pathname + location.search);
if (/^hf_[A-Za-z0-9_-]+$/.test(brought)) {
  form.elements.token.value = brought;
  const linked = document.getElementById('linked');
  linked.querySelector('code').textContent = brought.split('_')[1];
  linked.hidden = false;
} else if (/^[A-Za-z0-9_-]{43}$/.test(brought)) {
  form.elements.token.value = brought;
  form.submit();
}
