/** The server of the page identifies the visitor by a cookie and issues a token that is valid for an hour. */
async function getToken() {
  const response = await fetch('/token', { method: 'POST' });
  if (!response.ok) throw Object.assign(new Error('No token'), { status: response.status });
  const { access_token: token } = await response.json();
  return token;
}
