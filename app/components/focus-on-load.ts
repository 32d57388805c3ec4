/** Makes the browser scroll to a text and focus it when the page loads. */
export const focusOnLoad = { tabIndex: -1, autoFocus: true };
