/** Texts that depend on a number, in the forms that a language has for it. */

/** A number of things, and its spelling in the language in use, which texts show. */
export interface Count {
  readonly number: number
  readonly toString: () => string
}

/** The forms of a text by the plural categories of CLDR. A missing form falls back to `other`. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Returns a function that chooses the form for a number as the language does. */
export function pluralIn(language: string): (count: Count, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => forms[rules.select(count.number)] ?? forms.other
}
