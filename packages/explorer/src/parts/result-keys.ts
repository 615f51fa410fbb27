/** Arrow keys among results, which are plain links: they only move the focus. */

/** Moves the focus among the results that `event` came from; Escape goes back to the search. */
export function onResultKey(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return
  const all = [...document.querySelectorAll<HTMLElement>('[data-result] a[data-main]')]
  const at = all.indexOf(event.target)
  const box = document.getElementById('search')
  if (event.key === 'Escape') box?.focus()
  else if (at < 0) return
  else if (event.key === 'ArrowDown') all[Math.min(at + 1, all.length - 1)]?.focus()
  else if (event.key === 'ArrowUp') (at === 0 ? box : all[at - 1])?.focus()
  else if (event.key === 'Home') all[0]?.focus()
  else if (event.key === 'End') all.at(-1)?.focus()
  else return
  event.preventDefault()
}
