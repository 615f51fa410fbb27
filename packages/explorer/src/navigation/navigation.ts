/** Moving about: the route as a signal, the browser's history behind it, and where each page was scrolled to. */
import { computed, signal } from '@preact/signals'
import { hrefOf, type Route, routeFrom } from './route.ts'

const hash = signal(currentHash())

/** The page that the address bar names, as a signal. */
export const route = computed(() => routeFrom(hash.value))

/** How the last move came about: the pages focus and scroll by it. */
export const move = signal<{ readonly kind: 'load' | 'go' | 'replace' | 'back'; readonly number: number }>({
  kind: 'load',
  number: 0,
})

const scrolled = new Map<string, number>()
let key = keyInHistory() ?? newKey()

/** Begins to follow the browser's history. */
export function startNavigation(): void {
  history.scrollRestoration = 'manual'
  history.replaceState({ ...Object(history.state), key }, '')
  window.addEventListener('popstate', () => {
    rememberScroll()
    const known = keyInHistory()
    key = known ?? newKey()
    // A click on a link also pops; its entry has no key yet.
    if (known === undefined) history.replaceState({ key }, '')
    arrive(known === undefined ? 'go' : 'back')
  })
}

/** Goes somewhere: to a new entry of the history, or in place of the one at hand. */
export function navigate(to: Route, how: 'go' | 'replace' = 'go'): void {
  const href = hrefOf(to)
  if (how === 'go') {
    rememberScroll()
    key = newKey()
    history.pushState({ key }, '', href)
  } else history.replaceState({ key }, '', href)
  arrive(how)
}

/**
 * Puts another address on the entry at hand without rendering anything: it is what a reload will show. `note` stays with
 * the entry, for `entryNote` after a reload.
 */
export function renameEntry(to: Route, note?: unknown): void {
  history.replaceState({ key, note }, '', hrefOf(to))
}

/** What was noted on this entry of the history; anything at all, since other versions of the page wrote there too. */
export function entryNote(): unknown {
  return Object(history.state).note
}

/** Where this entry of the history was scrolled to when it was left. */
export function scrollOfEntry(): number {
  return scrolled.get(key) ?? 0
}

/** Names this entry of the history, so that pages can keep more than their scroll. */
export function entryKey(): string {
  return key
}

function rememberScroll(): void {
  scrolled.set(key, window.scrollY)
}

function arrive(kind: 'go' | 'replace' | 'back'): void {
  hash.value = currentHash()
  move.value = { kind, number: move.value.number + 1 }
}

/** From the whole address: some browsers decode `location.hash`. */
function currentHash(): string {
  return location.href.split(/#(.*)/s)[1] ?? ''
}

function keyInHistory(): string | undefined {
  const state: unknown = history.state
  const known = typeof state === 'object' && state !== null ? (state as { key?: unknown }).key : undefined
  return typeof known === 'string' ? known : undefined
}

function newKey(): string {
  return Math.random().toString(36).slice(2)
}
