/** Plural forms of strings that depend on a number. */

/** A number, and the form in which it is displayed. */
export interface Count {
  readonly number: number
  readonly toString: () => string
}

/** Forms of a string by CLDR plural category. If a form is missing, `other` is used. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Returns a function that selects the form of a string by the plural rules of a language. */
export function pluralIn(language: string): (count: Count, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => forms[rules.select(count.number)] ?? forms.other
}
