import type { FindingPlace } from '../../../../shared/contracts/findings.ts'
import { placeWords } from '../../../../shared/findings/place-words.ts'
import { showBytes } from '../module/show-bytes.ts'
import { fieldId, jumpTo } from '../sheet/sections.ts'
import classes from './findings.module.css'

/** Where a finding is; leads to the field, or to the bytes. */
export function FindingPlaceLink({ releaseId, place }: { releaseId: number; place: FindingPlace }) {
  if (place.kind === 'module') return <span>{placeWords(place)}.</span>
  const show = (): void => {
    if (place.kind === 'field') jumpTo(fieldId(place.field))
    else showBytes({ releaseId, offset: place.offset, length: place.length })
  }
  return (
    <button type="button" className={classes['link']} onClick={show}>
      {placeWords(place)}
    </button>
  )
}
