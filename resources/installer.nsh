; Links that begin with skilldock:// open the app. Arguments after -- are never parsed as options.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\skilldock" "" "URL:Skilldock"
  WriteRegStr SHELL_CONTEXT "Software\Classes\skilldock" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\skilldock\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey SHELL_CONTEXT "Software\Classes\skilldock"
  ${endIf}
!macroend
