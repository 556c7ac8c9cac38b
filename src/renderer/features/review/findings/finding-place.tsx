import { TextButton } from '../../../components/form/text-button.tsx'
import type { FindingPlace } from '../../../../shared/contracts/findings.ts'
import { placeLabel } from '../../../../shared/findings/place-label.ts'
import { showInModule } from '../module/show-in-module.ts'
import { fieldId, jumpTo } from '../sheet/sections.ts'

/** The place of a finding, as a link to the manifest field or to the bytes of the module. */
export function FindingPlaceLink({ releaseId, place }: { releaseId: number; place: FindingPlace }) {
  if (place.kind === 'module') return <span>{placeLabel(place)}.</span>
  const show = (): void => {
    if (place.kind === 'field') jumpTo(fieldId(place.field))
    else showInModule({ releaseId, offset: place.offset, length: place.length })
  }
  return (
    <TextButton inline onClick={show}>
      {placeLabel(place)}
    </TextButton>
  )
}
