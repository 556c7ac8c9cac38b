import { readCapabilities } from '../../shared/capabilities.ts'
import type { Capability, CapabilityKey } from '../../shared/capabilities.ts'
import type { Evidence } from '../../shared/contracts/evidence.ts'
import { provenanceText } from '../../shared/job-texts.ts'
import { capabilityUse } from '../../shared/capability-use.ts'
import type { PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { ReadStatement } from '../domains/releases/decisions/review-statement.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { texts } from './pages.texts.ts'
import { approvedIcon, capabilityIcons } from './icons.ts'
import type { Site } from './site.ts'

const text = texts.review

type Observation = NonNullable<Evidence['observation']>

/** Capabilities, observed calls and the reviewer's statement, which is not a proof. */
export function reviewSection(site: Site, release: PublicRelease, review: ReadStatement): Html {
  const { name, version, imports } = release
  const observation = review.evidence?.observation ?? null
  return html`<section>
    <h2>${text.title}</h2>
    ${imports === null ? html`<p>${text.unknown}</p>` : capabilityTable(imports, observation)}
    ${statement(review, observation)}
    ${
      review.firstApproval !== undefined &&
      html`<p>${text.firstApproved(review.firstApproval.approvedBy, review.firstApproval.notes)}</p>`
    }
    ${review.provenance !== undefined && html`<p>${text.provenance(provenanceText(review.provenance))}</p>`}
    <p><a href="${site.base}/api/skilldock/skills/${name}/${version}/review">${text.record}</a></p>
  </section>`
}

function capabilityTable(imports: readonly string[], observation: Observation | null): Html {
  const { imported } = readCapabilities(imports)
  const sentence = html`<p>${cannotSentence(new Set(imported.map(({ key }) => key)))}</p>`
  if (imported.length === 0)
    return html`<p>${text.noImports}</p>
      ${sentence}`
  return html`<table class="can-did">
      <thead>
        <tr>
          <th scope="col">${text.columns.capability}</th>
          <th scope="col">${text.columns.called}</th>
        </tr>
      </thead>
      <tbody>
        ${imported.map((capability) => capabilityRow(capability, observation))}
      </tbody>
    </table>
    ${sentence}`
}

function capabilityRow(capability: Capability, observation: Observation | null): Html {
  const use = capabilityUse(capability, observation?.runs ?? null)
  return html`<tr><th scope="row">${capabilityIcons[capability.key]}${capability.label}</th><td${!use.seen && html` class="no"`}>${use.label}</td></tr>`
}

function cannotSentence(could: ReadonlySet<CapabilityKey>): string {
  const cannot = (key: CapabilityKey): boolean => !could.has(key)
  const files = [cannot('read') && 'read', cannot('write') && 'write'].filter((word) => word !== false)
  const { verbs } = text
  const nouns = [cannot('environment') && verbs.environment, cannot('clock') && verbs.clock].filter(
    (noun) => noun !== false,
  )
  const phrases = [
    files.length > 0 && verbs.files(files),
    nouns.length > 0 && verbs.read(nouns),
    cannot('random') && verbs.random,
    cannot('sockets') && verbs.sockets,
  ].filter((phrase) => phrase !== false)
  return phrases.length === 0 ? '' : text.cannot(phrases)
}

function statement(
  { decidedBy, notes, evidence, isEvidenceDamaged, selfApproved }: ReadStatement,
  observation: Observation | null,
): Html {
  const own = selfApproved && html` <strong>${text.selfApproved}</strong>`
  if (isEvidenceDamaged) return html`<p>${text.damaged(decidedBy, notes)}${own}</p>`
  const open = evidence?.openFindings.length ?? 0
  const findings = open > 0 && ` ${text.openFindings(open)}`
  if (observation === null) return html`<p>${text.notRun(decidedBy, notes)}${findings}${own}</p>`
  const { runs, checks } = observation
  const passed = runs.filter((run) => run.passed).length
  const result = text.passed(passed, runs.length)
  const peak = Math.max(0, ...runs.map((run) => run.peakMemoryBytes))
  const details = text.run(memoryOf(peak), decidedBy, checks, notes)
  return html`<p>
    ${passed === runs.length ? html`<span class="ok">${approvedIcon} ${result}</span>` : result}${details}${findings}${own}
  </p>`
}

function memoryOf(bytes: number): string {
  return bytes < 1_048_576
    ? `${Math.round(bytes / 1024)} KiB`
    : `${(bytes / 1_048_576).toFixed(1).replace(/\.0$/, '')} MiB`
}
