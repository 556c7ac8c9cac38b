import type { ErrorIssue } from '../../shared/errors.ts'
import type { Content, Html } from './html.ts'
import { html } from './html.ts'

export interface FormState {
  /** Entered values, by field. */
  values: Readonly<Record<string, string>>
  /** Errors, by field; the path of an error that concerns the whole form is empty. */
  issues: readonly ErrorIssue[]
}

/** The fields of a form, each with its label and its hint or error. */
export function createForm({ values, issues }: FormState) {
  const value = (name: string): string => values[name] ?? ''
  const messageOf = (name: string): string | undefined => issues.find((issue) => issue.path === name)?.message
  const issueOf = (name: string): Html | null => {
    const message = messageOf(name)
    return message === undefined ? null : html`<p class="wrong" id="${name}-wrong">${message}</p>`
  }
  const state = (name: string, hasHint: boolean): Html => {
    const isWrong = messageOf(name) !== undefined
    if (isWrong) return html` aria-invalid="true" aria-describedby="${name}-wrong"`
    return hasHint ? html` aria-describedby="${name}-hint"` : html``
  }
  const field = (name: string, label: string, hint: string, control: Content): Html =>
    html`<div class="field">
      <label for="${name}">${label}</label
      >${control}${issueOf(name) ?? html`<p class="hint" id="${name}-hint">${hint}</p>`}
    </div>`
  return {
    value,
    issueOf,
    /** ARIA attributes: whether the field is invalid and which element describes it. */
    state,
    line: (name: string, label: string, hint: string, max: number): Html =>
      field(
        name,
        label,
        hint,
        html`<input
          id="${name}"
          name="${name}"
          value="${value(name)}"
          maxlength="${max}"
          required
          autocomplete="${name === 'author' ? 'name' : 'off'}"
          ${state(name, true)}
        />`,
      ),
    area: (name: string, label: string, hint: string): Html =>
      field(
        name,
        label,
        hint,
        // Browsers drop the line feed directly after the start tag.
        html`<textarea
          id="${name}"
          name="${name}"
          rows="10"
          minlength="20"
          maxlength="20000"
          required${state(name, true)}
        >
${value(name)}</textarea>`,
      ),
  }
}

export type Form = ReturnType<typeof createForm>

/** Numbered fields; those after the first `shown` are in a disclosure that is open if one of them is filled. */
export function numberedFields(
  count: number,
  shown: number,
  name: string,
  isFilled: (n: number) => boolean,
  field: (n: number) => Html,
): Html {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const more = numbers.slice(shown)
  return html`${numbers.slice(0, shown).map(field)}<details${more.some(isFilled) && html` open`}><summary>${name}</summary><div>${more.map(field)}</div></details>`
}
