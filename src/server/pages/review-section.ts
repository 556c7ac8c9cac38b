import { readCapabilities } from '../../shared/capabilities.ts'
import type { Capability, CapabilityKey } from '../../shared/capabilities.ts'
import type { Evidence } from '../../shared/contracts/evidence.ts'
import { whatItDid } from '../../shared/observed.ts'
import type { PublicRelease } from '../domains/releases/catalog/public-catalog.service.ts'
import type { ReadStatement } from '../domains/releases/decisions/review-statement.service.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { approvedIcon, capabilityIcons } from './icons.ts'
import { listWords } from './site.ts'
import type { Site } from './site.ts'

type Observation = NonNullable<Evidence['observation']>

/** What it can do and was seen to do, and what the reviewer says: a statement, not a proof. */
export function reviewSection(site: Site, release: PublicRelease, review: ReadStatement): Html {
  const { name, version, imports } = release
  const observation = review.evidence?.observation ?? null
  return html`<section>
    <h2>What the review saw</h2>
    ${imports === null ? html`<p>What this module can do is unknown: no record of it can be read.</p>` : abilities(imports, observation)}
    ${statement(review, observation)}
    <p><a href="${site.base}/api/skilldock/skills/${name}/${version}/review">The whole record</a></p>
  </section>`
}

function abilities(imports: readonly string[], observation: Observation | null): Html {
  const { could } = readCapabilities(imports)
  const sentence = html`<p>${cannotSentence(new Set(could.map(({ key }) => key)))}</p>`
  if (could.length === 0)
    return html`<p>It imports nothing: it can only compute.</p>
      ${sentence}`
  return html`<table class="can-did">
      <thead>
        <tr>
          <th scope="col">It can</th>
          <th scope="col">it did</th>
        </tr>
      </thead>
      <tbody>
        ${could.map((capability) => abilityRow(capability, observation))}
      </tbody>
    </table>
    ${sentence}`
}

function abilityRow(capability: Capability, observation: Observation | null): Html {
  const did = whatItDid(capability, observation?.runs ?? null)
  return html`<tr><th scope="row">${capabilityIcons[capability.key]}${capability.label}</th><td${!did.seen && html` class="no"`}>${did.words}</td></tr>`
}

/** `It cannot read or write files, see the environment or the clock, get random numbers or use sockets.` */
function cannotSentence(could: ReadonlySet<CapabilityKey>): string {
  const cannot = (key: CapabilityKey): boolean => !could.has(key)
  const files = [cannot('read') && 'read', cannot('write') && 'write'].filter((word) => word !== false)
  const seen = [cannot('environment') && 'the environment', cannot('clock') && 'the clock'].filter(
    (word) => word !== false,
  )
  const phrases = [
    files.length > 0 && `${files.join(' or ')} files`,
    seen.length > 0 && `see ${seen.join(' or ')}`,
    cannot('random') && 'get random numbers',
    cannot('sockets') && 'use sockets',
  ].filter((phrase) => phrase !== false)
  return phrases.length === 0 ? '' : `It cannot ${listWords(phrases, 'or')}.`
}

function statement(
  { decidedBy, notes, evidence, isEvidenceDamaged, selfApproved }: ReadStatement,
  observation: Observation | null,
): Html {
  const own = selfApproved && html` <strong>Approved by its own publisher.</strong>`
  if (isEvidenceDamaged) {
    return html`<p>
      Approved by ${decidedBy}: “${notes}” The evidence of this review is damaged on this server and cannot be
      shown.${own}
    </p>`
  }
  const open = evidence?.openFindings.length ?? 0
  const findings =
    open > 0 &&
    html` ${open === 1 ? 'One finding' : `${open} findings`} of the checks ${open === 1 ? 'was' : 'were'}
    open.`
  if (observation === null) {
    return html`<p>
      Approved by ${decidedBy}, who stated no run of the examples: “${notes}”${findings}${own}
    </p>`
  }
  const { runs, checks } = observation
  const passed = runs.filter((run) => run.passed).length
  const verdict = `${passed} of ${runs.length} examples passed`
  const peak = Math.max(0, ...runs.map((run) => run.peakMemoryBytes))
  return html`<p>
    ${passed === runs.length ? html`<span class="ok">${approvedIcon} ${verdict}</span>` : verdict} in a
    sandbox, peak ${memoryOf(peak)}. Observed by ${decidedBy} with checks ${checks}:
    “${notes}”${findings}${own}
  </p>`
}

/** Memory stands in MiB. */
function memoryOf(bytes: number): string {
  return bytes < 1_048_576
    ? `${Math.round(bytes / 1024)} KiB`
    : `${(bytes / 1_048_576).toFixed(1).replace(/\.0$/, '')} MiB`
}
