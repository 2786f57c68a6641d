<?xml version="1.0"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text"/>
  <xsl:template match="/list">
    <xsl:for-each select="item">
      <xsl:sort select="@price" data-type="number"/>
      <xsl:value-of select="concat(., ' ', @price, '&#10;')"/>
    </xsl:for-each>
    <xsl:value-of select="sum(item/@price)"/>
  </xsl:template>
</xsl:stylesheet>
