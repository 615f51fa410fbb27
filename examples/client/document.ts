/** Provides a DOM for tests of components. Vue looks for one when it is loaded, so import this file first. */
import { Window } from 'happy-dom'

/** Window in which the components are rendered. */
export const window = new Window()
const { document, Element, SVGElement, MathMLElement } = window as unknown as Record<string, unknown>
Object.assign(globalThis, {
  window,
  document,
  Element,
  SVGElement,
  MathMLElement,
  IS_REACT_ACT_ENVIRONMENT: true,
})
