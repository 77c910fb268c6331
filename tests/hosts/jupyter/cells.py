# A notebook's cells, one after the other.

@first@

@second@
