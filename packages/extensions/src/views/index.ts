/** The language of views, which the explorer and the server read and write alike. Free of Node.js. */

export {
  type Asked,
  type Box,
  type Filter,
  isAsked,
  keysOfAsked,
  NOTHING_ASKED,
  sortKeyOf,
  withFilter,
} from './asked.ts'
export { amountText, binText, groupsAsked, groupsOf, splitGroup, UNITS } from './groups.ts'
export { type Near, pointText, pointTyped } from './near.ts'
export { keyOf, namesOf, propertyOf } from './property-key.ts'
export {
  allOf,
  conditionOf,
  hasValue,
  KINDS,
  type KindOf,
  type Known,
  questionFrom,
  textOfValue,
} from './question.ts'
export {
  LAYOUTS,
  type Layout,
  misfitsOf,
  type Plot,
  pagePath,
  queryOfView,
  queryText,
  VIEW_PATH,
  VIEW_TYPE,
  type View,
  viewFrom,
  viewPath,
  wholeNumber,
} from './view.ts'
export { type TitleWords, titleOfView } from './view-title.ts'
