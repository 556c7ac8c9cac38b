import {
  IconArrowsShuffle,
  IconClock,
  IconDoorExit,
  IconFilePencil,
  IconFileText,
  IconHelpCircle,
  IconHourglass,
  IconListDetails,
  IconPlug,
  IconStack2,
  IconTerminal2,
  IconVariable,
  IconWritingSign,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { CapabilityKey } from '../../../../shared/capabilities.ts'

export const capabilityIcons: Record<CapabilityKey, Icon> = {
  stdin: IconTerminal2,
  stdout: IconWritingSign,
  read: IconFileText,
  write: IconFilePencil,
  arguments: IconListDetails,
  environment: IconVariable,
  clock: IconClock,
  wait: IconHourglass,
  random: IconArrowsShuffle,
  sockets: IconPlug,
  exit: IconDoorExit,
  streams: IconStack2,
  unknown: IconHelpCircle,
}
