/** Keeps the focus in a list from which an item is removed. */

/** Moves the focus from an item that is going to be removed to the button of the next or last one, or else to the page. */
export function focusBeside(within: Element): void {
  const item = within.closest('li')
  const next = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button')
  ;(next ?? document.getElementById('main'))?.focus({ preventScroll: true })
}
