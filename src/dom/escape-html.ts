/**
 * Escapes a text for the content of an element or for an attribute in double quotes. No other function turns text into HTML. Must not
 * be used for the content of `<script>` and `<style>`, in which nothing can be escaped. U+0000, which HTML cannot contain, becomes U+FFFD.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\0/g, '\uFFFD');
}
