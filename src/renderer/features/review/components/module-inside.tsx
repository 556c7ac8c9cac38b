import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { PlainText } from '../../../components/plain-text.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import classes from './module-inside.module.css'
import { Section } from './section.tsx'

/** What the file is made of: what it offers, and how large each part is. */
export function ModuleInside({ module, size }: { module: ModuleFacts; size: number }) {
  const hidden = module.exportCount - module.exports.length
  return (
    <>
      <Section title="Exports" note={formatCount(module.exportCount)}>
        <ul>
          {module.exports.map(({ name, kind }, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={classes['export']}>
              <code>
                <PlainText text={name} />
              </code>
              <span>{kind}</span>
            </li>
          ))}
        </ul>
        {hidden > 0 && <p className={classes['rest']}>and {plural(hidden, 'more export', 'more exports')}</p>}
      </Section>
      <Section title="Size by section">
        <table className={classes['sizes']}>
          <thead>
            <tr>
              <th scope="col">Section</th>
              <th scope="col">Bytes</th>
            </tr>
          </thead>
          <tbody>
            {module.sections.map(({ name, size: bytes }, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <td>
                  <PlainText text={name} />
                </td>
                <td>{formatCount(bytes)}</td>
              </tr>
            ))}
            <tr className={classes['total']}>
              <td>whole file</td>
              <td>{formatCount(size)}</td>
            </tr>
          </tbody>
        </table>
      </Section>
    </>
  )
}
