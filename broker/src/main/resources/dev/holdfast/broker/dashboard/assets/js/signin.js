// The link that holdfast open prints has the token behind its #, where no server and no log sees it. The broker's own user is signed
// in at once: nobody else has that token. Anybody can send a link with a token of the team, so that is asked about first.
const form = document.querySelector('form'), token = decodeURIComponent(location.hash.slice(1));
if (token) {
  history.replaceState(null, '', location.pathname + location.search);
  form.elements.token.value = token;
  if (token.startsWith('hf_')) {
    const linked = document.getElementById('linked');
    linked.querySelector('code').textContent = token.split('_')[1];
    linked.hidden = false;
  } else {
    form.submit();
  }
}
