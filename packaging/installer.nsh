; An update removes the program and installs it again, so the scheme stays registered then.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\touchstone-open"
  ${endIf}
!macroend
