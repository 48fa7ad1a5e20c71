/** The page's own server knows the visitor by a cookie and gives a token that is good for an hour. */
async function getToken() {
  const response = await fetch('/token', { method: 'POST' });
  if (!response.ok) throw new Error(`No token: status ${response.status}`);
  const { access_token: token } = await response.json();
  return token;
}
