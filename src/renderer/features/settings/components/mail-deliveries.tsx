import { useState } from 'react'
import { TextButton } from '../../../components/form/text-button.tsx'
import { texts } from '../settings.texts.ts'
import { DeliveryTable } from './delivery-table.tsx'
import classes from './webhooks.module.css'

const { deliveries: words } = texts

/** The latest e-mail deliveries, on request. */
export function MailDeliveries() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={classes['item']}>
      <TextButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? words.hideMail : words.showMail}
      </TextButton>
      {isOpen && <DeliveryTable id={null} recipient={words.mail} />}
    </div>
  )
}
