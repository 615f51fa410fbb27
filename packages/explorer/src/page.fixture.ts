/**
 * A page without a browser, for component tests. While the tests of a file run, the globals of this process are those of a
 * happy-dom document. Other helpers act as a user would. Browser tests cover layout, styles and painting.
 */
import './compiled-sources.fixture.ts'
import assert from 'node:assert/strict'
import { after, afterEach, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Window } from 'happy-dom'
import { type ComponentChild, options, render } from 'preact'
import { act } from 'preact/test-utils'
import { language, recentWorlds } from './navigation/settings.ts'
import { allowedHosts } from './world/picture-hosts.ts'

const page = new Window({ url: 'https://page.example/', width: 1280, height: 800 })
Object.defineProperty(page.navigator, 'languages', { value: ['en-GB', 'en'] })

/** Maximum time to wait for a condition, in milliseconds. Generous, to allow for busy machines. */
const WAIT_MS = 10_000
/** Real clock for waiting, since tests mock the page's clock. */
const now = performance.now.bind(performance)

/** Reports each element as seen, since the page has no layout. */
class Watcher extends page.IntersectionObserver {
  readonly #report: IntersectionObserverCallback
  constructor(report: IntersectionObserverCallback) {
    super(() => {})
    this.#report = report
  }
  override observe(): void {
    this.#report([{ isIntersecting: true }] as IntersectionObserverEntry[], this as never)
  }
}

/** Browser globals that the page and its tests use. */
const GLOBALS: Readonly<Record<string, unknown>> = {
  window: page,
  document: page.document,
  location: page.location,
  history: page.history,
  navigator: page.navigator,
  localStorage: page.localStorage,
  sessionStorage: page.sessionStorage,
  innerWidth: 1280,
  innerHeight: 800,
  matchMedia: page.matchMedia.bind(page),
  Node: page.Node,
  HTMLElement: page.HTMLElement,
  ResizeObserver: page.ResizeObserver,
  IntersectionObserver: Watcher,
  fetch: async (url: unknown) => {
    throw new TypeError(`${url} was requested from the network`)
  },
}

/** Sets up the page until the tests of the file have ended. Must be called before the sources under test are imported. */
export function startPage(): void {
  const found = Object.keys(GLOBALS).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  )
  for (const [name, value] of Object.entries(GLOBALS))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  forgetLocale()
  options.debounceRendering = (rendering) => {
    due = rendering
  }
  afterEach(leave)
  after(() => {
    for (const [name, descriptor] of found) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, descriptor)
    }
    forgetLocale()
    delete options.debounceRendering
  })
}

/** Discards the cached locale, since the user's languages have changed. */
function forgetLocale(): void {
  language.value = 'de'
  language.value = 'en'
}

/** Cleans up after a test by removing its content and the stored state. */
function leave(): void {
  void act(() => render(null, document.body))
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  recentWorlds.value = []
  allowedHosts.value = new Set()
  globalThis.innerWidth = 1280
}

/** Renders a component as the content of the page, in place of the previous one. */
export function show(content: ComponentChild): void {
  void act(() => render(content, document.body))
}

/** Runs `work`, which changes state that components react to, and flushes the resulting renders. */
export function doing(work: () => void): void {
  void act(work)
}

/** Mocks the layout for a test: scroll containers are 600 pixels high, and rows are 44 pixels high. */
export function layOut(context: TestContext): void {
  context.mock.getter(HTMLElement.prototype, 'clientHeight', () => 600)
  context.mock.getter(HTMLElement.prototype, 'offsetHeight', () => 44)
}

/** Pending render. The test runs it, so that an error in it fails the test. */
let due: (() => void) | undefined

/** Waits for one turn of the event loop and runs the pending render. */
async function nextTurn(): Promise<void> {
  await turn()
  doing(() => due?.())
}

/** Waits until `isSo` is truthy, while rendering updates. On timeout, throws an error with the text of the page. */
export async function until(isSo: () => unknown): Promise<void> {
  const end = now() + WAIT_MS
  while (!isSo()) {
    assert.ok(now() < end, `it showed: ${textOf(document.body)}`)
    await nextTurn()
  }
}

/** Waits until `text` is on the page. */
export function shown(text: string): Promise<void> {
  return until(() => textOf(document.body).includes(text))
}

/** Runs all pending work, before a test asserts that something did not happen. */
export async function idle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await nextTurn()
}

/** Returns the text of an element on one line. */
export function textOf(element: Element | null | undefined): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
}

/** Returns the text of each element that matches a selector, in document order. */
export function texts(selector: string): string[] {
  return [...document.querySelectorAll(selector)].map(textOf)
}

/** Returns the first element that matches `selector` and has `name` as its `aria-label` or text. Throws if there is none. */
export function get<E extends HTMLElement = HTMLElement>(selector: string, name?: string | RegExp): E {
  const found = find<E>(selector, name)
  assert.ok(found !== undefined, `no ${selector} ${name ?? ''} in: ${document.body.innerHTML}`)
  return found
}

/** Like `get`, but returns undefined if no element matches. */
export function find<E extends HTMLElement = HTMLElement>(
  selector: string,
  name?: string | RegExp,
): E | undefined {
  const isNamed = (element: E) => {
    const own = element.getAttribute('aria-label') ?? textOf(element)
    return name === undefined || (typeof name === 'string' ? own === name : name.test(own))
  }
  return [...document.querySelectorAll<E>(selector)].find(isNamed)
}

/** Returns the form control with a label. Throws if there is none. */
export function field<E extends HTMLElement = HTMLInputElement>(label: string | RegExp): E {
  const found = find<E>('input, select, textarea', label)
  if (found?.hasAttribute('aria-label')) return found
  const named = get<HTMLLabelElement>('label', label)
  const control = named.htmlFor === '' ? named.querySelector('input') : document.getElementById(named.htmlFor)
  assert.ok(control !== null, `no control of ${label}`)
  return control as HTMLElement as E
}

/** Clicks an element of the page. */
export function press(element: Element): void {
  fire(element, new window.MouseEvent('click', { bubbles: true, cancelable: true }))
}

/** Types `text` into a box in place of its current text. */
export function type(box: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  box.value = text
  fire(box, new window.Event('input', { bubbles: true }))
}

/** Sets the value of a box or a select, and fires `change`. */
export function choose(control: HTMLInputElement | HTMLSelectElement, value: string): void {
  control.value = value
  fire(control, new window.Event('change', { bubbles: true }))
}

/** Presses a key. Returns true if the page did not prevent the browser's default action. */
export function key(element: Element, name: string, more: KeyboardEventInit = {}): boolean {
  return fire(
    element,
    new window.KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more }),
  )
}

/** Submits a form, as Enter in one of its boxes does. Returns true if the page did not prevent the default action. */
export function submit(form: Element): boolean {
  return fire(form, new window.Event('submit', { bubbles: true, cancelable: true }))
}

/** Dispatches an event. Returns true if the page did not prevent the browser's default action. */
export function fire(target: EventTarget, event: Event): boolean {
  let isLeft = true
  void act(() => {
    isLeft = target.dispatchEvent(event)
  })
  return isLeft
}
